/** Tells a screen reader what's new in whole sentences, because a stream read word by word is no use to anyone. */
import { shorten } from './format.js'
import { announcement, me } from './state.js'
import { say } from './words.js'

const sentences = {
  message: ({ role, text, person }) => {
    if (role === 'assistant') return `Bobbin: ${shorten(text, 600)}`
    if (role === 'alarm') return `Alarm: ${shorten(text, 300)}`
    return person?.name === me.peek() ? '' : `${person?.name ?? 'Someone'}: ${shorten(text, 300)}`
  },
  permission_asked: ({ tool_name }) => say.bobbinAsksApprovalUse({ tool_name }),
  permission_voted: ({ person, votes, needed }) => `${person.name} approved: ${votes} of ${needed}.`,
  permission_moved: ({ who, escalated }) => (escalated ? `Now asking: ${who}.` : ''),
  permission_replied: ({ decision, person, by }) => {
    const said = decision === 'approve' ? 'approved' : 'denied'
    if (person) return person.name === me.peek() ? '' : `${person.name} ${said} it.`
    return by === 'deadline' ? say.nobodyDecidedTimeDenied() : ''
  },
  revoked: ({ person, tool_name }) => `${person.name} revoked a grant for ${tool_name}.`,
  question_asked: ({ question }) => `Bobbin asks: ${shorten(question, 300)}`,
  clarification_asked: ({ question }) => `Bobbin asks: ${shorten(question, 300)}`,
  decision_asked: ({ question }) => say.bobbinAsksDecision({ question: shorten(question, 300) }),
  doom_loop_detected: ({ question }) => say.bobbinAsksDecision({ question: shorten(question, 300) }),
  reset: ({ person }) => `${person.name} cleared the history above.`,
  stopped: () => say.turnStopped(),
  error: ({ message }) => say.turnFailed({ message }),
}

export function announce(events) {
  const spoken = events.map(({ type, data }) => sentences[type]?.(data) ?? '').filter(Boolean)
  if (spoken.length > 0) announcement.value = spoken.join(' ')
}
