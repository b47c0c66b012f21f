import type { Assignment, ParameterExpansionPart, SyntaxNode, TestExpression, Word } from 'unbash'
import { forEachChild } from 'unbash'
import { type Scope, unclear } from './scope.ts'
import { readWord } from './shell-word.ts'
import { assigned } from './variables.ts'

// Bash evaluates the value of a variable in arithmetic again: `x='a[$(rm y)]'; ((x))` runs rm. So only numbers pass.

const computedText = 'arithmetic with a value from elsewhere may run what the value holds'

// These can only be numbers.
const counts = /^\$(?:[#?$!]|\{#(?:[A-Za-z_]\w*(?:\[[@*]\])?|[@*])?\})$/

const onlyNumbers = (text: string): boolean =>
  /^[-+]?\d*$/.test(text) || /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(text)

/** Notes every variable in an arithmetic expression. */
export function arithmeticText(scope: Scope, text: string) {
  if (/['"\\`]/.test(text)) return unclear(scope, 'quoting within arithmetic is not followed')
  if (/\$\(\(?/.test(text.replaceAll('$((', '(('))) unclear(scope, computedText)
  const plain = text.replace(/\$(?:[#?$!]|\{#[^{}]*\})/g, '0')
  if (/\$(?:\{?[\d@*]|\{[^}]*[^A-Za-z0-9_}])/.test(plain)) unclear(scope, computedText)
  for (const [name] of plain.matchAll(/(?<![\w#])[A-Za-z_]\w*/g)) scope.findings.computed.add(name)
  for (const [, name = '', open] of plain.matchAll(/([A-Za-z_]\w*)\s*(\[?)/g))
    if (open !== '') scope.findings.arrays.add(name)
  for (const [, name = ''] of plain.matchAll(/(?<![\w])([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)/g)) {
    assigned(scope, name, undefined, true)
  }
}

/** A word that is evaluated as arithmetic: a subscript, an offset, an operand of `-eq`. */
function arithmeticWord(scope: Scope, word: Word) {
  const known = readWord(word)
  if (known.value !== undefined && onlyNumbers(known.value)) return
  if (counts.test(word.text) || /^"?\$\(\([^'"`$]*\)\)"?$/.test(word.text)) return
  arithmeticText(scope, word.text.replace(/^"(.*)"$/s, '$1'))
}

/** An element of an array, or a quoted name with a subscript: in both, `b` in `[b]=1` is evaluated. */
export const subscript = (scope: Scope, text: string) => arithmeticText(scope, text.replace(/^(["'])(.*)\1$/s, '$2'))

/**
 * A word that a builtin might read as the name of an array's element, such as `-vq[$(rm y)]`. A number is no such name.
 */
export function onlyNumber(scope: Scope, source: string) {
  const bare = source.replace(/^"(.*)"$/s, '$1')
  if (counts.test(bare) || /^\$\(\([^'"`$]*\)\)$/.test(bare)) return
  const [, name, braced] = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:\[[@*]\])?\})$/.exec(bare) ?? []
  if (name ?? braced) scope.findings.computed.add(name ?? braced ?? '')
  else unclear(scope, computedText)
}

/** A word of `test` that may become several, of which one might be `-v` and the next the name of an element. */
export function noSubscript(scope: Scope, source: string) {
  const plain = /\$(?:[#?$!]|\{#[^{}]*\}|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g
  if (/[$`[]/.test(source.replace(plain, ''))) return onlyNumber(scope, source)
  for (const [, name, braced] of source.matchAll(plain)) scope.findings.split.add(name ?? braced ?? '')
}

const comparesNumbers = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

export function testExpression(scope: Scope, test: TestExpression) {
  if (test.type === 'TestBinary' && comparesNumbers.has(test.operator)) {
    arithmeticWord(scope, test.left)
    arithmeticWord(scope, test.right)
  }
  if (test.type === 'TestUnary' && ['-v', '-R', '-t'].includes(test.operator)) {
    if (!/^[A-Za-z0-9_]*$/.test(readWord(test.operand).value ?? '$')) {
      unclear(scope, `the operand of ${test.operator} would be evaluated`)
    }
  }
}

export function parameterExpansion(scope: Scope, part: ParameterExpansionPart) {
  const { operation, prefix, parameter, index } = part
  if (prefix === '!' && operation?.type !== 'Names' && !/^[@*]$/.test(index?.text ?? '')) {
    unclear(scope, `an indirect expansion may run what the value holds: ${part.text}`)
  }
  if (operation?.type === 'Transform' && /[^QUuLEAaKk]/.test(readWord(operation.operand).value ?? 'P')) {
    unclear(scope, `the expansion ${part.text} runs what the value holds`)
  }
  if (operation?.type === 'Unknown') unclear(scope, `the expansion ${part.text} is not understood`)
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) {
    assigned(scope, parameter, readWord(operation.operand).value, false)
    if (index) scope.findings.arrays.add(parameter)
  }
  if (operation?.type === 'Slice') {
    arithmeticWord(scope, operation.offset)
    if (operation.length) arithmeticWord(scope, operation.length)
  }
  if (index && !/^[@*]$/.test(index.text)) arithmeticWord(scope, index)
}

/** Whether a value can only be a number. */
function isNumber(word: Word): boolean {
  const known = readWord(word)
  if (known.value !== undefined) return onlyNumbers(known.value)
  if (onlyNumbers(word.text) || counts.test(word.text)) return true
  return (word.parts ?? []).length > 0 && (word.parts ?? []).every(({ type }) => type === 'ArithmeticExpansion')
}

export function assignment(scope: Scope, { name, value, index }: Assignment) {
  if (index && !/^[@*]$/.test(index.text)) arithmeticWord(scope, index)
  if (index || value.type !== 'Word') scope.findings.arrays.add(name)
  if (value.type === 'Word') return assigned(scope, name, readWord(value).value, isNumber(value))
  assigned(scope, name, undefined, value.elements.every(isNumber))
  for (const { text } of value.elements) {
    const [, index] = /^\[(.*)\]\+?=/s.exec(text) ?? []
    if (index !== undefined) subscript(scope, index)
  }
}

/** Whether `cd` or the like is called anywhere below. */
export function movesAbout(scope: Scope, node: SyntaxNode): boolean {
  if (--scope.findings.budget < 0) return true
  if (node.type === 'Command' && /^(?:cd|pushd|popd|command|builtin|eval)$/.test(node.name?.value ?? '')) return true
  let moves = false
  forEachChild(node, (child) => {
    moves ||= movesAbout(scope, child)
  })
  return moves
}
