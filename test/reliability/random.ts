/** A random generator that gives the same series for the same seed. */
export interface Random {
  /** Returns a number that is at least 0 and below 1. */
  next(): number
  /** Returns a whole number below `end`. */
  below(end: number): number
  pick<T>(items: readonly T[]): T
  /** Returns one of the keys, each as often as its weight says. */
  weighted<K extends string>(weights: Record<K, number>): K
}

/** The generator mulberry32. */
export const random = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    pick: (items) => items[below(items.length)]!,
    weighted: <K extends string>(weights: Record<K, number>) => {
      const entries = Object.entries<number>(weights) as [K, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) {
        left -= weight
        if (left < 0) return key
      }
      return entries.at(-1)![0]
    },
  }
}
