export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** An entry of CLEO in a JSON file of a client: a value at a path, or an item of the array at a path. */
export interface JsonEntry {
  at: readonly string[]
  value: JsonValue
  item?: true
  /**
   * If an item of the user's file contains this text, it has the same purpose as CLEO's item. In that case CLEO keeps
   * the user's item and does not add its own.
   */
  own?: string
}

export interface TomlItems {
  table: string
  key: string
  items: readonly string[]
}

/** The text that CLEO writes into one file of a client. */
export type Part = { path: string } & (
  | { kind: 'file'; text: string }
  /** Lines between two marks. Everything else in the file belongs to the user. */
  | { kind: 'block'; text: string }
  | { kind: 'json'; entries: readonly JsonEntry[]; hooks?: true }
  | { kind: 'toml'; table: string; text: string; arrays: readonly TomlItems[] }
)
