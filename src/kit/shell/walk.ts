import type { Pipeline, Statement, SyntaxNode, TestExpression, Word } from 'unbash'
import { forEachChild } from 'unbash'
import { arithmeticText, movesAbout, parameterExpansion, testExpression } from './arithmetic.ts'
import { inputOf, noteRedirections, simpleCommand } from './command.ts'
import { hidesProgram } from './names.ts'
import { type Input, type Scope, settle, spend, subshell, unclear } from './scope.ts'
import { readWord } from './shell-word.ts'
import { assigned } from './variables.ts'

const pipe: Input = { kind: 'pipe' }

/** The content of these is parsed when it is inspected, and was part of the text around them. */
const reread = new Set([
  'CommandExpansion',
  'ProcessSubstitution',
  'ParameterExpansion',
  'ArithmeticExpansion',
  'ArithmeticCommandExpansion',
  'ArithmeticCommand',
  'HereDoc',
])

/** Inspects a node and everything below it, in the order of the text. */
export function walk(node: SyntaxNode, scope: Scope, input: Input) {
  if (!spend(scope, reread.has(node.type) ? node.end - node.pos : 1)) return
  switch (node.type) {
    case 'Script':
      for (const { message, pos } of node.errors ?? []) unclear(scope, `it is not valid bash at ${pos}: ${message}`)
      return walkList(node.commands, scope, input)
    case 'CompoundList':
      return walkList(node.commands, scope, input)
    case 'Statement':
      return walkStatement(node, scope, input)
    case 'AndOr':
      return node.commands.forEach((command, at) => {
        if (at > 0 && node.operators[at - 1] === '||') settle(scope)
        walk(command, scope, input)
      })
    case 'Pipeline':
      return walkPipeline(node, scope, input)
    case 'Command':
      simpleCommand(node, scope, input)
      return walkChildren(node, scope, input)
    case 'Subshell':
      return walk(node.body, subshell(scope), input)
    case 'BraceGroup':
      return walk(node.body, scope, input)
    case 'Redirected': {
      noteRedirections(node.redirects, scope)
      walk(node.command, scope, inputOf(node.redirects, input))
      for (const redirect of node.redirects) walk(redirect, scope, input)
      return
    }
    default:
      return walkCompound(node, scope, input)
  }
}

function walkList(statements: readonly Statement[], scope: Scope, input: Input) {
  for (const statement of statements) walk(statement, scope, input)
}

function walkStatement(node: Statement, scope: Scope, input: Input) {
  const inner = node.background ? subshell(scope) : scope
  walk(node.command, inner, input)
  settle(inner)
}

function walkPipeline(node: Pipeline, scope: Scope, input: Input) {
  if (node.prefixes.some(({ type }) => type === 'Negation') && movesAbout(scope, node)) scope.directories = undefined
  node.commands.forEach((command, at) => {
    walk(command, node.commands.length > 1 ? subshell(scope) : scope, at === 0 ? input : pipe)
  })
}

const loops = new Set(['For', 'ArithmeticFor', 'While', 'Select', 'Function', 'If', 'Case', 'Coproc'])

function walkCompound(node: SyntaxNode, scope: Scope, input: Input) {
  const moves = loops.has(node.type) && movesAbout(scope, node)
  if (moves) scope.directories = undefined
  walkPart(node, scope, input)
  if (moves) scope.directories = undefined
}

function walkPart(node: SyntaxNode, scope: Scope, input: Input) {
  switch (node.type) {
    case 'For':
    case 'Select':
      loopVariable(node.name, node.wordlist, scope)
      break
    case 'Function': {
      const name = readWord(node.name).value
      if (name === undefined || hidesProgram(name)) {
        unclear(scope, `the function ${node.name.text} hides the program of this name`)
      }
      return walk(node.body, subshell(scope), { kind: 'unseen' })
    }
    case 'Coproc':
      for (const name of ['COPROC', node.name?.value]) if (name) scope.findings.arrays.add(name)
      // Bash may then use its own name for the program.
      if (node.body.type === 'Command' && node.body.prefix.length > 0)
        unclear(scope, 'what this coproc runs is not followed')
      return walk(node.body, subshell(scope), pipe)
    case 'CommandExpansion':
      if (!node.script) return unclear(scope, `the substitution ${node.text} cannot be read`)
      return walk(node.script, subshell(scope), input)
    case 'ArithmeticCommandExpansion':
      if (!node.script) return unclear(scope, `the substitution ${node.text} cannot be read`)
      return walk(node.script, subshell(scope), input)
    case 'ProcessSubstitution':
      if (!node.script) return unclear(scope, `the substitution ${node.text} cannot be read`)
      return walk(node.script, subshell(scope), node.operator === '>' ? pipe : input)
    case 'ArithmeticExpansion':
      arithmetic(node.text.replace(/^\$(?:\(\(|\[)|(?:\)\)|\])$/g, ''), node.expression !== undefined, scope)
      break
    case 'ArithmeticCommand':
      arithmetic(node.body, node.expression !== undefined, scope)
      break
    case 'ParameterExpansion':
      parameterExpansion(scope, node)
      break
    case 'TestCommand':
      test(node.expression, scope)
      break
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part) arithmeticNames(part, scope)
      break
    case 'HereDoc':
      if (!node.closing || !node.delimiter) unclear(scope, 'a here-document has no end')
      break
  }
  walkChildren(node, scope, input)
}

function walkChildren(node: SyntaxNode, scope: Scope, input: Input) {
  forEachChild(node, (child) => {
    walk(child, scope, input)
  })
}

function arithmetic(text: string, understood: boolean, scope: Scope) {
  if (!understood && text.trim() !== '') unclear(scope, 'arithmetic in it is not understood')
  arithmeticText(scope, text)
}

function arithmeticNames(node: SyntaxNode, scope: Scope) {
  if (node.type === 'ArithmeticWord') arithmeticText(scope, node.value)
  if (
    node.type === 'ArithmeticBinary' &&
    /^[^=!<>]?=$|<<=|>>=/.test(node.operator) &&
    node.left.type === 'ArithmeticWord'
  ) {
    arithmeticText(scope, `${node.left.value}=0`)
  }
  if (node.type === 'ArithmeticCommandExpansion') arithmeticText(scope, node.text)
  forEachChild(node, (child) => {
    arithmeticNames(child, scope)
  })
}

function test(expression: TestExpression, scope: Scope) {
  testExpression(scope, expression)
  if (expression.type === 'TestLogical') for (const operand of expression.operands) test(operand, scope)
  if (expression.type === 'TestNot') test(expression.operand, scope)
  if (expression.type === 'TestGroup') test(expression.expression, scope)
}

function loopVariable(name: Word, words: readonly Word[] | undefined, scope: Scope) {
  const numbers =
    words?.every(({ text }) => /^\d+$|^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$|^\$\(seq(?: -?\d+){1,3}\)$/.test(text)) ??
    false
  assigned(scope, name.value, undefined, numbers)
}
