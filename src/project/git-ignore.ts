/** The text of `.cleo/.gitignore`. */
export const ignored = '# Everything here is local except the configuration.\n*\n!.gitignore\n!config.json\n'
