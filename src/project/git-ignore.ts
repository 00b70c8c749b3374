/** The text of `.cleo/.gitignore`. */
export const ignored = '# Everything here is local but the configuration.\n*\n!.gitignore\n!config.json\n'
