import type { Assignment, Command, Redirection } from 'unbash'
import { assignment } from './arithmetic.ts'
import { hostOf } from './hosts.ts'
import { type Call, type Input, type Scope, unclear } from './scope.ts'
import { assignedValue, readAssignment, readWord, type ShellWord } from './shell-word.ts'
import { assigned } from './variables.ts'

/** A command as it is written, with its redirections and assignments. */
export function simpleCommand(node: Command, scope: Scope, input: Input) {
  noteRedirections(node.redirects, scope)
  const assignments: Assignment[] = node.prefix.filter((part) => part.type === 'Assignment')
  for (const part of [...assignments, ...node.args]) if (part.type === 'Assignment') assignment(scope, part)
  if (!node.name) return

  const words = [
    readWord(node.name),
    ...node.args.map((part) => (part.type === 'Word' ? readWord(part) : readAssignment(part))),
  ]
  const assigns = assignments.map((part) => ({ name: part.name, value: assignedValue(part) }))
  const call: Call = { words, assigns, input: inputOf(node.redirects, input) }
  scope.call(call)
}

const duplicates = (operator: string, target: string | undefined): boolean =>
  /^[<>]&$/.test(operator) && target !== undefined && /^(?:\d+-?|-)$/.test(target)

/** Notes the files that a redirection opens. */
export function noteRedirections(redirects: readonly Redirection[], scope: Scope) {
  const { plan } = scope.findings
  for (const redirect of redirects) {
    if (redirect.descriptor?.type === 'FileDescriptorVariable') {
      const { name } = redirect.descriptor
      if (/\W/.test(name)) unclear(scope, `a redirection would evaluate ${JSON.stringify(name)}`)
      assigned(scope, name, undefined, true)
    }
    if (redirect.type !== 'Redirect') continue
    if (!redirect.target) {
      unclear(scope, 'a redirection has no target')
      continue
    }
    const known = readWord(redirect.target)
    if (duplicates(redirect.operator, known.value)) continue
    const { value: target, source } = known
    plan.redirections.push({ operator: redirect.operator, target, ...(target === undefined && { source }) })
    notePath(known, scope)
    const [, address] = /^\/dev\/(?:tcp|udp)\/(.*)$/s.exec(known.value ?? '') ?? []
    if (address) plan.hosts.push(hostOf(address.split('/')[0] ?? '') ?? address)
  }
}

/** What a command reads, while its own redirections are being inspected. */
export function inputOf(redirects: readonly Redirection[], inherited: Input): Input {
  let input = inherited
  for (const redirect of redirects) {
    const { descriptor } = redirect
    if (descriptor && (descriptor.type !== 'FileDescriptor' || descriptor.value !== 0)) continue
    if (redirect.type === 'HereDoc') input = { kind: 'text', text: heredocText(redirect) }
    else if (redirect.type === 'HereString') {
      const value = redirect.target && readWord(redirect.target).value
      input = { kind: 'text', text: value === undefined ? undefined : `${value}\n` }
    } else if (redirect.operator === '<' || redirect.operator === '<>') {
      const path = redirect.target && readWord(redirect.target).value
      input = path === '/dev/null' ? { kind: 'nothing' } : { kind: 'file', path }
    } else if (redirect.operator === '<&') input = { kind: 'unseen' }
  }
  return input
}

function heredocText({ body, delimiter, operator }: Extract<Redirection, { type: 'HereDoc' }>): string | undefined {
  const text = operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text
  if (delimiter?.quoted) return text
  if (body.parts?.some(({ type }) => type !== 'Literal')) return undefined
  return text.replace(/\\(\n|[\\$`])/g, (_, character: string) => (character === '\n' ? '' : character))
}

/** Notes anything that looks like a path, including the value of an option, or one with an expansion in it. */
export function notePath({ value, source }: ShellWord, scope: Scope) {
  const { paths } = scope.findings.plan
  const text = value ?? source
  if (text === '' || /^[0-9]+$/.test(text)) return
  const [, option] = /^-{0,2}[A-Za-z][\w-]*=(.+)$/s.exec(text) ?? []
  const glued = /^-[A-Za-z]([./~].*)$/s.exec(text)?.[1]
  const path = option ?? glued ?? text
  const [, attached] = /^@(.+)$/s.exec(path) ?? []
  const found = attached ?? path
  if (found.startsWith('-') && found === text) return
  if (found.includes('/') || (/[:~]|^\.|\w\.\w/.test(found) && !/\s/.test(found))) paths.push(found)
}
