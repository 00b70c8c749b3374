import { filter } from './generated/filter.ts'

/**
 * Whether o200k has an entry with this hash: a Bloom filter over the entries that English, code and the common
 * characters of other scripts need. It misses none of them and has one false positive in a hundred.
 */
export const isKnown = (hash: number): boolean => {
  const mixed = mix(hash)
  const stride = strideOf(mixed)
  let place = mixed
  for (let probe = 0; probe < probes; probe++) {
    if (((sixBits(filter.charCodeAt(placeOf(place))) >> bitOf(place)) & 1) === 0) return false
    place = (place + stride) | 0
  }
  return true
}

/** Extends the hash of a text by one more character. */
export const extend = (hash: number, code: number): number => (Math.imul(hash, 0x01000193) + code) | 0

const probes = 6
const size = 2 ** 17

const mix = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const strideOf = (mixed: number): number => (mixed >>> 15) | (mixed << 17) | 1
const placeOf = (place: number): number => place & (size - 1)
const bitOf = (place: number): number => ((place >>> 17) * 6) >>> 15

/** Six bits per character, from `0` on and without the backslash: the string is used as it is, without decoding. */
const sixBits = (code: number): number => (code > 92 ? code - 49 : code - 48)

/** Builds the filter for some entries. */
export const filterOf = (entries: readonly string[]): string => {
  const values = new Uint8Array(size)
  for (const entry of entries) {
    let hash = 0
    for (let at = 0; at < entry.length; at++) hash = extend(hash, entry.charCodeAt(at))
    const mixed = mix(hash)
    for (let probe = 0, place = mixed; probe < probes; probe++, place = (place + strideOf(mixed)) | 0)
      values[placeOf(place)]! |= 1 << bitOf(place)
  }
  return Array.from(values, (value) => String.fromCharCode(value + (value < 44 ? 48 : 49))).join('')
}
