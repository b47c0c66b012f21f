import { builtins } from './builtins.ts'
import { isPlain } from './characters.ts'
import { notePath } from './command.ts'
import { files } from './files.ts'
import { hostsOf } from './hosts.ts'
import { interpreters } from './interpreters.ts'
import { riskyOptions } from './risky.ts'
import { type Call, type Code, type ProgramReader, runsFile, type Scope, spend, unclear } from './scope.ts'
import { quoted, quotedName, type ShellWord } from './shell-word.ts'
import { tools } from './tools.ts'
import { given } from './variables.ts'
import { wrappers } from './wrappers.ts'

const readers = new Map<string, ProgramReader>([...builtins, ...files, ...tools, ...interpreters, ...wrappers])

const families =
  /^(bash|sh|dash|python|pypy|perl|ruby|php|node|nodejs|lua|luajit|tclsh|wish|guile|awk|pip|gcc|java)-?[\d.]+$/

const readerOf = (program: string): ProgramReader | undefined =>
  readers.get(program) ?? readers.get(families.exec(program)?.[1] ?? '')

const textOf = (words: ShellWord[], assigns: Call['assigns']): string => {
  const [name, ...args] = words
  const set = assigns.map(({ name, value }) => {
    const isWhole = [`${name}=`, `${name}+=`].some((beginning) => value.source.startsWith(beginning))
    if (value.value === undefined) return isWhole ? value.source : `${name}=${value.source}`
    return `${name}=${quoted(value.value)}`
  })
  const first = name?.value === undefined ? (name?.source ?? '') : quotedName(name.value)
  return [...set, first, ...args.map(({ value, source }) => (value === undefined ? source : quoted(value)))].join(' ')
}

function nameOf({ value, source }: ShellWord, scope: Scope): string {
  if (value === undefined) {
    unclear(scope, `the program’s name is computed: ${source.slice(0, 80)}`)
    return ''
  }
  if (value === '') unclear(scope, 'the program’s name is empty')
  else if (!isPlain(value))
    unclear(scope, `the program’s name ${JSON.stringify(value)} has characters that may deceive`)
  else if (value.endsWith('/')) unclear(scope, `${value} is a directory and no program`)
  return value.slice(value.lastIndexOf('/') + 1)
}

/** The variables whose every value here is a number, date or time. */
function numbersIn(assigns: Call['assigns']): { numbers?: string[] } {
  const others = assigns.filter(({ value }) => !/^\d[\d.,:-]*$/.test(value.value ?? '')).map(({ name }) => name)
  const numbers = assigns.map(({ name }) => name).filter((name) => !others.includes(name))
  return numbers.length > 0 ? { numbers } : {}
}

/** Inspects one command: notes it, and whatever it runs. */
export function resolve(call: Call, scope: Scope) {
  if (
    !spend(
      scope,
      call.words.reduce((sum, { source }) => sum + source.length, 1),
    )
  )
    return
  const { plan } = scope.findings
  const [name, ...args] = call.words
  if (!name) return
  const program = nameOf(name, scope)
  for (const { name, value } of call.assigns) given(scope, name, value.value, false)
  if (name.value?.includes('/') && program !== '') {
    notePath(name, scope)
    runsFile(scope, name.value, name.value)
  }

  const code: Code = []
  const at = plan.invocations.length
  if (readerOf(program)?.(call, scope, program, code) === 'replaced') return
  riskyOptions(program, args, scope)
  plan.invocations.splice(at, 0, {
    program,
    as: name.value ?? '',
    args: args.map(({ value }) => value),
    assigns: call.assigns.map(({ name }) => name),
    ...numbersIn(call.assigns),
    text: textOf(call.words, call.assigns),
    code,
  })
  for (const word of args) notePath(word, scope)
  for (const host of hostsOf(program, args)) {
    plan.hosts.push(host)
    if (!isPlain(host) || /(?:^|\.)xn--/.test(host))
      unclear(scope, `the host name ${JSON.stringify(host)} has letters of other alphabets`)
  }
}
