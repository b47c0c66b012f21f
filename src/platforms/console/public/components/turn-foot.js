import { useRef, useState } from 'preact/hooks'
import { copyText } from '../clipboard.js'
import { useFocusBack } from '../focus-back.js'
import { formatDuration } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { canWrite, thread, threadState } from '../state.js'
import { saidSince } from '../thread.js'
import { isOpen } from '../turn.js'
import { say } from '../words.js'
import { AskAnswerAgain, answerAgain } from './answer-again.js'
import { FeedbackButtons, FeedbackForm } from './feedback.js'

const shownMs = 1500

/** A button that copies, and says whether it did. */
export function CopyButton({ text, label }) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    setSaid((await copyText(text)) ? say.copied() : say.couldNotCopy())
    setTimeout(() => setSaid(''), shownMs)
  }
  return html`
    <button class="icon-button small" type="button" aria-label=${said || label} title=${said || label} onClick=${copy}>
      <${Icon} name=${said === say.copied() ? 'check' : 'copy'} /></button>
  `
}

/** What a turn took: which model answered, its tokens, its time. */
function took({ model, tokensIn, tokensOut, startedAt, endedAt }) {
  const ms = Date.parse(endedAt) - Date.parse(startedAt)
  return [
    model,
    tokensIn && say.turnTokens({ read: tokensIn, written: tokensOut }),
    ms >= 100 ? formatDuration(ms) : '',
  ].filter(Boolean)
}

const wordsOf = ({ parts }) =>
  parts
    .filter(({ kind }) => kind === 'answer' || kind === 'text')
    .map(({ text }) => text)
    .join('\n\n')

/** Below an answer: copy, do again, feedback, and what it took. */
export function TurnFoot({ turn }) {
  const [isExplaining, setExplaining] = useState(false)
  const bad = useRef(null)
  useFocusBack(bad, isExplaining)
  const [isAsking, setAsking] = useState(false)
  const again = useRef(null)
  useFocusBack(again, isAsking)
  if (isOpen(turn)) return null
  const answer = turn.parts.findLast(({ kind, messageId }) => kind === 'answer' && messageId !== undefined)
  const words = wordsOf(turn)
  const mayRepeat = turn.opening !== undefined && canWrite.value && threadState.value === 'idle'
  const repeat = () => (saidSince(thread.peek(), turn.opening).length > 0 ? setAsking(true) : answerAgain(turn.opening))
  return html`
    <div class="turn-foot">
      ${words && html`<${CopyButton} text=${words} label=${say.copyAnswer()} />`}
      ${
        mayRepeat &&
        html`<button class="icon-button small" type="button" aria-label=${say.answerAgain()} title=${say.answerAgain()}
          ref=${again} onClick=${repeat}><${Icon} name="again" /></button>`
      }
      ${answer && html`<${FeedbackButtons} answer=${answer} bad=${bad} onBad=${() => setExplaining(true)} />`}
      <span class="took">${took(turn).join(' · ')}</span>
    </div>
    ${isAsking && html`<${AskAnswerAgain} number=${turn.opening} onClose=${() => setAsking(false)} />`}
    ${isExplaining && answer && html`<${FeedbackForm} messageId=${answer.messageId} onClose=${() => setExplaining(false)} />`}
  `
}
