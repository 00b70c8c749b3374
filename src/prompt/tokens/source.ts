/** A text with tokens in it. */
export interface Source {
  text: string
  /** For reports: `ct-release/SKILL.md`. */
  where: string
  /**
   * In a template all kinds of token count and an unknown name is unresolved. In any other skill the known names are
   * filled in; everything else is left as it is and not counted.
   */
  kind: 'template' | 'skill'
  /**
   * The folder whose own files it may include; none for embedded content. Absolute and free of links, as it was when
   * the text was read: what a link there is changed to later is not read.
   */
  folder?: string
  /** Commands and files of the project are for trusted templates alone. */
  trusted: boolean
}
