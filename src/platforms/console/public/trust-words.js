/** Describes the entries of the audit log. */
import { visibleText } from './format.js'
import { scopeWords } from './grant-words.js'
import { say } from './words.js'

/** Names of the kinds of entries, for the filter. */
export const auditKinds = {
  asked: say.kindAsked(),
  voted: say.kindVoted(),
  decided: say.kindDecided(),
  moved: say.kindMoved(),
  withdrawn: say.kindWithdrawn(),
  granted: say.kindGranted(),
  revoked: say.kindRevoked(),
  refused: say.kindRefused(),
  started: say.kindStarted(),
  ended: say.kindEnded(),
}

const named = (names, name) => (Object.hasOwn(names, name) ? names[name] : text(name))
const list = (value) => (Array.isArray(value) ? value : [])
const text = (value) => (typeof value === 'string' ? visibleText(value) : '')
const tool = ({ tool: name }) => (typeof name === 'string' ? visibleText(name) : say.aTool())
const byRule = ({ layer, rule }) => [text(layer), text(rule)].filter(Boolean).join(' ')
const said = {
  approve: say.saidApproved(),
  deny: say.saidDenied(),
  answered: say.saidAnswered(),
  declined: say.saidDeclined(),
}
const asking = { question: say.askedQuestion(), decision: say.askedDecision(), loop: say.askedLoop() }
const risks = new Set(['low', 'medium', 'high', 'critical'])
const riskOf = (risk) => (risks.has(risk) ? say.risk({ risk }) : '')

const sentences = {
  asked: (data) =>
    data.kind === 'approval'
      ? [say.toUse({ tool: tool(data) }), riskOf(data.risk), text(data.reason)]
      : [named(asking, data.kind)],
  voted: ({ votes, needed }) => [say.votedSoFar({ votes, needed })],
  decided: (data) => [named(said, data.said), text(data.reason)],
  moved: ({ escalated, who }) => [escalated ? say.asksOthers() : say.asksAgain(), text(who)],
  withdrawn: () => [say.withdrewRequest()],
  granted: (data) => [
    say.grantOf({ tool: tool(data), where: named(scopeWords, data.scope) }),
    ...list(data.patterns).map(text),
  ],
  revoked: (data) => [tool(data)],
  refused: (data) =>
    data.tool ? [tool(data), byRule(data), text(data.why)] : [say.forbiddenDecision(), text(data.reason)],
  started: (data) => [tool(data), list(data.grants).length > 0 ? say.byGrant() : byRule(data)],
  ended: (data) => [say.callEnded({ status: text(data.status), tool: tool(data) }), text(data.why)],
}

/** An entry in words: the main fact first, then the details. Empty for unknown kinds, which only show their data. */
export const whatOf = ({ kind, data }) => (Object.hasOwn(sentences, kind) ? sentences[kind](data) : []).filter(Boolean)

/** Who did it; without a person it was the bot itself. */
export const whoOf = ({ data }) => text(data.by) || 'Bobbin'
