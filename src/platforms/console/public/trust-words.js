/** Describes the entries of the audit log. */
import { toolTitle, visibleText } from './format.js'
import { scopeWords } from './grant-words.js'
import { say } from './words.js'

/** Names of the kinds of entries, for the filter. */
export const auditKinds = {
  asked: 'Asked',
  voted: 'Voted',
  decided: 'Decided',
  moved: say.reassignedOrAskedAgain(),
  withdrawn: 'Withdrawn',
  granted: 'Granted',
  revoked: 'Revoked',
  refused: 'Refused',
  started: 'Started',
  ended: 'Ended',
}

const named = (names, name) => (Object.hasOwn(names, name) ? names[name] : text(name))
const list = (value) => (Array.isArray(value) ? value : [])
const text = (value) => (typeof value === 'string' ? visibleText(value) : '')
const tool = ({ tool: name }) => (typeof name === 'string' ? toolTitle(visibleText(name)) : 'a tool')
const byRule = ({ layer, rule }) => [text(layer), text(rule)].filter(Boolean).join(' ')
const said = { approve: 'approved', deny: 'denied', answered: 'answered a question', declined: 'declined a question' }
const statuses = { done: 'ran', failed: 'failed', denied: 'did not run', unknown: 'has an unknown outcome' }
const asking = { question: 'a question', decision: 'a decision', loop: 'whether to keep repeating itself' }

const sentences = {
  asked: (data) =>
    data.kind === 'approval'
      ? [`to use ${tool(data)}`, text(data.risk) && `${text(data.risk)} risk`, text(data.reason)]
      : [named(asking, data.kind)],
  voted: ({ votes, needed }) => [`approved: ${votes} of ${needed}`],
  decided: (data) => [named(said, data.said), text(data.reason)],
  moved: ({ escalated, who }) => [escalated ? 'asks others' : 'asks again', text(who)],
  withdrawn: () => ['withdrew a request'],
  granted: (data) => [`${tool(data)}, ${named(scopeWords, data.scope)}`, ...list(data.patterns).map(text)],
  revoked: (data) => [tool(data)],
  refused: (data) =>
    data.tool
      ? [tool(data), byRule(data), text(data.why)]
      : ['a decision by someone without permission', text(data.reason)],
  started: (data) => [tool(data), list(data.grants).length > 0 ? 'by a grant' : byRule(data)],
  ended: (data) => [`${tool(data)} ${named(statuses, data.status)}`, text(data.why)],
}

/** An entry in words: the main fact first, then the details. Empty for unknown kinds, which only show their data. */
export const whatOf = ({ kind, data }) => (Object.hasOwn(sentences, kind) ? sentences[kind](data) : []).filter(Boolean)

/** Who did it; without a person it was the bot itself. */
export const whoOf = ({ data }) => text(data.by) || 'Bobbin'
