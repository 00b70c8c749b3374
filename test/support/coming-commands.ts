/** Commands that prompts and content name ahead of their making. A test fails for each that exists by now. */
export const coming: readonly string[] = [
]

export const isComing = (line: string): boolean =>
  coming.some((words) => `${line} `.startsWith(`cleo ${words} `))
