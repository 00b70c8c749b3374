import fc from '../../support/properties.ts'

/** Returns a repeatable random generator of numbers below 1. */
const chance = (seed: number) => {
  let state = seed | 0
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class Dice {
  readonly roll: () => number
  constructor(seed: number) {
    this.roll = chance(seed)
  }
  number = (from: number, to: number): number => from + Math.floor(this.roll() * (to - from + 1))
  of = <T>(items: ArrayLike<T>): T => items[this.number(0, items.length - 1)]!
  /** Joins `count` results of `make`. */
  some = (count: number, make: () => string): string => {
    let text = ''
    for (let i = 0; i < count; i++) text += make()
    return text
  }
  from = (first: number, last: number): string => String.fromCodePoint(this.number(first, last))
  word = (first: number, last: number, longest: number): string =>
    this.some(this.number(1, longest), () => this.from(first, last))
  lower = (longest: number): string => this.word(97, 122, longest)
  upper = (longest: number): string => this.word(65, 90, longest)
}

const english = (
  'the agent writes one file and every task depends on another one when its blockers are done because nothing else ' +
  'matters in a graph of work international organization government understand development information configuration'
).split(' ')
/** The letters that follow each letter in English. They give words that do not exist but look like English. */
const followers = new Map<string, string[]>()
for (const word of english)
  for (const [i, char] of [...`^${word}`].entries())
    followers.set(char, [...(followers.get(char) ?? []), word[i] ?? '$'])

const madeUp = (dice: Dice): string => {
  let word = ''
  for (let char = '^'; word.length < 14; ) {
    char = dice.of(followers.get(char)!)
    if (char === '$') break
    word += char
  }
  return word || 'a'
}
const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

const russian =
  'Каждый агент пишет результат в файл и возвращает одну строку потому что контекст ограничен'.split(' ')
const arabic = 'كل وكيل يكتب النتيجة في ملف ويعيد سطرا واحدا لأن السياق محدود'.split(' ')
const korean =
  '각 에이전트는 결과를 파일에 쓰고 한 줄만 반환합니다 컨텍스트가 제한되어 있기 때문입니다'.split(' ')
const german =
  'Jeder Agent schreibt sein Ergebnis in eine Datei weil Aufgabenverwaltung größer schön Prüfung'.split(' ')
const chinese = '每个代理将结果写入文件并返回一行因为上下文是有限的任务在所有依赖项完成后就绪'
const japanese = 'エージェントは結果をファイルに書き込み一行だけを返しますコンテキストには限りがある'
const emoji = [...'😀🎉🚀✅❌⚠️🔥👩‍💻👨‍👩‍👧‍👦🇩🇪🏳️‍🌈🫠']
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const hex = '0123456789abcdef'
const marks = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/** Texts that no tokenizer was made for, each of about a thousand characters. */
const shapes: Readonly<Record<string, (dice: Dice) => string>> = {
  english: (d) => d.some(200, () => `${d.of(english)} `),
  madeUp: (d) => d.some(180, () => `${madeUp(d)} `),
  madeUpCamel: (d) => d.some(70, () => `${madeUp(d)}${capital(madeUp(d))}${d.of([' ', '.', '(', '_'])}`),
  madeUpCapitals: (d) => d.some(180, () => `${madeUp(d).toUpperCase()}${d.of(' _')}`),
  russian: (d) => d.some(150, () => `${d.of(russian)} `),
  arabic: (d) => d.some(180, () => `${d.of(arabic)} `),
  korean: (d) => d.some(180, () => `${d.of(korean)} `),
  german: (d) => d.some(150, () => `${d.of(german)} `),
  chinese: (d) => d.some(900, () => d.of(chinese)),
  japanese: (d) => d.some(900, () => d.of(japanese)),
  emoji: (d) => d.some(300, () => d.of(emoji)),
  base64: (d) => d.some(1000, () => d.of(base64)),
  hex: (d) => d.some(1000, () => d.of(hex)),
  uuid: (d) => d.some(30, () => `${[8, 4, 4, 4, 12].map((n) => d.some(n, () => d.of(hex))).join('-')}\n`),
  digits: (d) => d.some(1000, () => d.of('0123456789')),
  ascii: (d) => d.some(1000, () => d.from(32, 126)),
  letters: (d) => d.some(1000, () => d.lower(1)),
  capitals: (d) => d.some(1000, () => d.upper(1)),
  bothCases: (d) => d.some(600, () => d.of([d.lower(1), d.upper(1)])),
  letterWords: (d) => d.some(200, () => `${d.lower(9)} `),
  capitalWords: (d) => d.some(200, () => `${d.upper(9)} `),
  consonants: (d) => d.some(170, () => `${d.some(d.number(3, 10), () => d.of('bcdfghjklmnpqrstvwxz'))} `),
  markedWords: (d) => d.some(180, () => d.of(marks) + d.lower(8)),
  paths: (d) => d.some(200, () => `/${d.lower(6)}`),
  snake: (d) => d.some(250, () => `${d.lower(4)}_`),
  oneLetter: (d) => d.of(base64).repeat(1000),
  letterRuns: (d) => d.some(150, () => d.lower(1).repeat(d.number(2, 9)) + d.of([' ', ''])),
  oneMark: (d) => d.of(marks).repeat(1000),
  markRuns: (d) => d.some(100, () => d.of(marks).repeat(d.number(1, 20)) + d.of([' ', '\n', ''])),
  marks: (d) => d.some(1000, () => d.of(marks)),
  blanks: (d) => d.of([' ', '\t', '\n', '\r\n', '\u00a0', '\u3000']).repeat(1000),
  blankMix: (d) => d.some(1000, () => d.of(' \t\n\r')),
  indented: (d) => d.some(100, () => d.of(' \t\n').repeat(d.number(1, 30)) + d.of('a;9')),
  controls: (d) => d.some(800, () => d.from(1, 31)),
  han: (d) => d.some(500, () => d.from(0x4e00, 0x9fff)),
  rareHan: (d) => d.some(500, () => d.from(0x3400, 0x4dbf)),
  hangul: (d) => d.some(500, () => d.from(0xac00, 0xd7a3)),
  cyrillic: (d) => d.some(180, () => `${d.word(0x400, 0x4ff, 10)} `),
  greek: (d) => d.some(180, () => `${d.word(0x3b1, 0x3c9, 10)} `),
  thai: (d) => d.some(500, () => d.from(0xe01, 0xe3a)),
  accents: (d) => d.some(180, () => `${d.word(0xc0, 0x24f, 9)} `),
  combining: (d) => d.some(250, () => d.lower(1) + d.word(0x300, 0x36f, 4)),
  symbols: (d) => d.some(500, () => d.from(0x2000, 0x2bff)),
  privateUse: (d) => d.some(400, () => d.from(0xe000, 0xf8ff)),
  astral: (d) => d.some(400, () => d.from(0x10000, 0x2ffff)),
  halves: (d) => d.some(500, () => d.of(['\ud800', '\udc00', 'a'])),
  special: (d) => d.some(80, () => d.of(['<|endoftext|>', '<|im_start|>', '<|fim_prefix|>'])),
  minified: (d) =>
    d.some(200, () => d.of(['var ', 'return ', '&&', '=>', '{', '}', ';', 'this.']) + d.lower(2)),
  escapes: (d) => d.some(300, () => `\\${d.of('ntrux')}${d.some(d.number(0, 4), () => d.of(hex))}`),
}

export const shapeNames = Object.keys(shapes)

export const oddText = (shape: string, seed: number): string => shapes[shape]!(new Dice(seed))

export const odd: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...shapeNames), fc.nat())
  .map(([shape, seed]) => oddText(shape, seed))
