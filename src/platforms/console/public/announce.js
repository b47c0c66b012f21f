/** Tells a screen reader what's new in whole sentences, because a stream read word by word is no use to anyone. */
import { shorten } from './format.js'
import { announcement, isMe } from './state.js'
import { say } from './words.js'

const namesOf = (files = []) => files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).join(', ')

const sentences = {
  message: ({ role, text, files, person }) => {
    // Files may come without words.
    if (role === 'assistant') return `Bobbin: ${shorten(text, 600) || shorten(namesOf(files), 300)}`
    if (role === 'alarm') return say.alarmSays({ text: shorten(text, 300) })
    return isMe(person) ? '' : say.personSays({ name: person?.name ?? say.someone(), text: shorten(text, 300) })
  },
  permission_asked: ({ tool_name }) => say.approvalAsked({ tool_name }),
  permission_voted: ({ person, votes, needed }) => say.votedFor({ name: person.name, votes, needed }),
  permission_moved: ({ who, escalated }) => (escalated ? say.nowAsking({ who }) : ''),
  permission_replied: ({ decision, person, by }) => {
    if (person) return isMe(person) ? '' : say.personDecided({ name: person.name, decision })
    return by === 'deadline' ? say.deniedAtDeadline() : ''
  },
  revoked: ({ person, tool_name }) => say.grantRevoked({ name: person.name, tool: tool_name }),
  question_asked: ({ question }) => say.questionAsked({ question: shorten(question, 300) }),
  clarification_asked: ({ question }) => say.questionAsked({ question: shorten(question, 300) }),
  decision_asked: ({ question }) => say.decisionAsked({ question: shorten(question, 300) }),
  doom_loop_detected: ({ question }) => say.decisionAsked({ question: shorten(question, 300) }),
  reset: ({ person }) => `${say.clearedHistory({ name: person.name })}.`,
  stopped: () => say.turnStopped(),
  error: ({ message }) => say.turnFailed({ message }),
}

const unseenMark = '\u00A0'

export function announce(events) {
  const spoken = events.map(({ type, data }) => sentences[type]?.(data) ?? '').filter(Boolean)
  if (spoken.length === 0) return
  // Only a text that changes is read out, and the same may be said twice in a row.
  const mark = announcement.peek().endsWith(unseenMark) ? '' : unseenMark
  announcement.value = spoken.join(' ') + mark
}
