import { useState } from 'preact/hooks'
import { matchAgent } from '../api.js'
import { html } from '../html.js'
import { problemOf } from '../state.js'
import { say } from '../words.js'
import { Problem } from './loaded.js'

const quoted = (words) => words.map((word) => `“${word}”`).join(', ')

function saidOf({ choice, words, by_meaning: byMeaning }) {
  if (choice) return say.chosenBecause({ agents: choice.agents.join(', '), how: choice.how, words: quoted(words) })
  return byMeaning ? say.meaningDecides() : say.nobodyByWords()
}

/** Who gets which requests, and a box to try it. */
export function Routing({ routing, tenant }) {
  const [{ said, problem }, setAnswer] = useState({ said: '', problem: '' })
  const ask = async (event) => {
    event.preventDefault()
    try {
      setAnswer({ said: saidOf(await matchAgent(new FormData(event.target).get('message'), tenant)), problem: '' })
    } catch (error) {
      setAnswer({ said: '', problem: problemOf(error) })
    }
  }
  const lines = routing.routes.map(({ name, agents, how, words, for: about }) =>
    say.routeLine({ name, agents: agents.join(', '), how, about: [about, quoted(words)].filter(Boolean).join(', ') }),
  )
  return html`
    <section class="agent-detail" aria-label=${say.routing()}>
      <h2>${say.routing()}</h2>
      <p>${say.wordsChoose({ on: String(routing.by_words) })} ${say.meaningChooses({ on: String(routing.by_meaning) })}</p>
      ${lines.length > 0 && html`<ul>${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
      <form class="search" aria-label=${say.routingTrial()} onSubmit=${ask}>
        <input name="message" aria-label=${say.routingTrial()} placeholder=${say.routingTrial()} required maxlength="8000" autocomplete="off" />
        <button class="button" type="submit">${say.tryIt()}</button>
      </form>
      <p role="status">${said}</p>
      <${Problem} text=${problem} />
    </section>
  `
}
