/**
 * The project of the demo: a shop, with a test that fails at first. It is written in POSIX shell, because every machine
 * with git also has a POSIX shell.
 */
export const shopFiles: Readonly<Record<string, string>> = {
  'src/price.sh': '# Prints cents as euros.\nprice() { echo "$1"; }\n',
  'src/shop.sh': '# Everything that the shop can do.\n. ./src/price.sh\n',
  'test/price.test.sh': '. ./src/price.sh\ncheck "cents are shown as euros" "12.50 EUR" "$(price 1250)"\n',
  'test.sh': `passed=0 failed=0
check() {
  if [ "$2" = "$3" ]; then passed=$((passed + 1)); echo "ok: $1"
  else failed=$((failed + 1)); echo "not ok: $1 (expected $2, got $3)"; fi
}
for each in test/*.test.sh; do . "./$each"; done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
`,
  'lint.sh': 'for each in src/*.sh test/*.sh; do sh -n "$each" || exit 1; done\necho "no problems"\n',
}

const goodPrice = `# Prints cents as euros.
price() { printf '%d.%02d EUR\\n' $(($1 / 100)) $(($1 % 100)); }
`

const finish = (message: string, ...more: string[]) => [
  { commit: `${message}\n\nTask: {{task}}` },
  { tokens: [18_400, 1250], cost: 0.07 },
  { cleo: ['finish', '{{task}}', '--finding', 'It works as described.', ...more] },
  { say: 'Implementation complete. See MANIFEST.jsonl for summary.' },
]

const build = (files: Record<string, string>, line: string) => [
  { cleo: ['focus', 'set', '{{task}}'] },
  { summary: 'Built as described, with a test.' },
  ...Object.entries(files).map(([write, text]) => ({ write, text })),
  { append: 'src/shop.sh', text: line },
  { run: ['sh', 'test.sh'] },
]

const cart = {
  'src/cart.sh':
    '# Adds up cents.\ntotal() { sum=0; for cents; do sum=$((sum + cents)); done; echo "$sum"; }\n',
  'test/cart.test.sh': '. ./src/cart.sh\ncheck "a cart is added up" 500 "$(total 250 250)"\n',
}
const receipt = {
  'src/receipt.sh': '# Prints a receipt.\n. ./src/price.sh\nreceipt() { echo "Total: $(price "$1")"; }\n',
  'test/receipt.test.sh':
    '. ./src/receipt.sh\ncheck "a receipt shows the total" "Total: 5.00 EUR" "$(receipt 500)"\n',
}

/**
 * The scenario of the demo's agents. The agent of T003 first claims success without any work. Later, the agents of T003
 * and T004 change the same line.
 */
export const scenario = (signal: string) => ({
  tasks: {
    T002: [
      [
        { cleo: ['focus', 'set', 'T002'] },
        { summary: 'Cents are shown as euros; the test was there.' },
        { write: 'src/price.sh', text: goodPrice },
        { run: ['sh', 'test.sh'] },
        ...finish('Show prices in euros', '--no-tests', 'The test was there and is green now.'),
      ],
    ],
    T003: [
      [{ say: 'Implementation complete. See MANIFEST.jsonl for summary.' }],
      [{ write: signal, text: 'go\n' }, ...build(cart, '. ./src/cart.sh\n'), ...finish('Add up a cart')],
    ],
    // The agent of T004 waits until the agent of T003 works on the same file, so that their changes always conflict.
    T004: [[{ await: signal }, ...build(receipt, '. ./src/receipt.sh\n'), ...finish('Print a receipt')]],
  },
})
