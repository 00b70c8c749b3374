/** The tools of all clients, in lower case. */
const writeTools =
  ' write edit multiedit notebookedit write_file edit_file create_file replace create insert delete strreplace str_replace str_replace_editor '
const patchTools = ' apply_patch patch '

export const isPatchTool = (tool: string): boolean => patchTools.includes(` ${tool.toLowerCase()} `)

export const isWriteTool = (tool: string): boolean =>
  writeTools.includes(` ${tool.toLowerCase()} `) || isPatchTool(tool)
