import { useState } from 'preact/hooks'
import { listIgnored } from '../api.js'
import { formatFull, formatRelative } from '../format.js'
import { html } from '../html.js'
import { platformName } from '../place.js'
import { now } from '../state.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

const Row = ({ ignored }) => {
  const { platform, tenant_id, project_id, user, reason, link, message_id, ignored_at } = ignored
  const isAddress = /^https?:\/\//.test(link ?? '')
  return html`
    <li class="ignored">
      <header>
        <b>${user.name}</b>
        <span class="platform">${platformName(platform)}</span>
        <span class="ignored-place" title=${`${platformName(platform)}, ${tenant_id}`}>${project_id}</span>
        <time datetime=${ignored_at} title=${formatFull(ignored_at)}>${formatRelative(ignored_at, now.value)}</time>
      </header>
      <p>${reason}</p>
      <p class="ignored-message">${say.message()} ${
        isAddress ? html`<a href=${link} target="_blank" rel="noopener noreferrer">${message_id}</a>` : message_id
      }</p>
    </li>
  `
}

/** How many the bot lists. */
const most = 100

function List({ list, named }) {
  if (list.length > 0) {
    return html`<ul>${list.map((one) => html`<${Row} key=${`${one.platform} ${one.tenant_id} ${one.message_id}`} ignored=${one} />`)}</ul>
      ${!named && list.length >= most && html`<p class="nothing">${say.ignoredCut({ most })}</p>`}`
  }
  return named ? html`<p class="nothing">${say.neverIgnored()}</p>` : html`<p class="nothing">${say.noneIgnored()}</p>`
}

/** Messages that the bot did not answer, and why. */
export function NotAnswered() {
  const [named, setNamed] = useState('')
  const { value: list, problem } = useLoaded(() => listIgnored(named), [named])
  const search = (event) => {
    event.preventDefault()
    setNamed(new FormData(event.target).get('message').trim())
  }
  return html`
    <div class="scroller" tabindex="-1">
      <div class="not-answered">
        <p class="lead">${say.ignoredIntro()}</p>
        <form class="search" role="search" onSubmit=${search}>
          <input type="search" name="message" aria-label=${say.message()} placeholder=${say.messageHint()} maxlength="500"
            autocomplete="off" spellcheck=${false} onInput=${(event) => event.target.value === '' && setNamed('')} />
          <button class="button" type="submit">${say.why()}</button>
        </form>
        <${Problem} text=${problem} />
        ${list ? html`<${List} list=${list} named=${named} />` : !problem && html`<${Loading} />`}
      </div>
    </div>
  `
}
