import { useState } from 'preact/hooks'
import { addServer, changeServer, listServers, readServerTools, removeServer } from '../api.js'
import { visibleText } from '../format.js'
import { html } from '../html.js'
import { problemOf } from '../state.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

function Tools({ name }) {
  const { value: tools, problem } = useLoaded(() => readServerTools(name), [name], { refreshed: false })
  if (tools === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  return html`<ul class="codes">${tools.map(
    (tool) =>
      html`<li key=${tool.name}><code>${visibleText(tool.name)}</code> <small>${visibleText(tool.description)}</small></li>`,
  )}</ul>`
}

function Row({ server, onChanged }) {
  const [open, setOpen] = useState(false)
  const [{ busy, said }, setState] = useState({ busy: false, said: '' })
  const act = async (work, words) => {
    setState({ busy: true, said: '' })
    try {
      const answer = await work()
      setState({ busy: false, said: words(answer) })
    } catch (error) {
      setState({ busy: false, said: problemOf(error) })
    }
    onChanged()
  }
  const { name, transport, state, tools, why } = server
  return html`
    <tr>
      <td data-name=${say.server()}><b>${name}</b><small>${transport}</small>${open && html`<${Tools} name=${name} />`}</td>
      <td data-name=${say.state()}>${state}${why !== '' && said === '' && html`<small>${visibleText(why)}</small>`}<small role="status">${visibleText(said)}</small></td>
      <td data-name=${say.tools()} class="number">${tools}</td>
      <td class="end">
        <button class="button small" type="button" aria-expanded=${open} onClick=${() => setOpen(!open)}>${open ? say.close() : say.tools()}</button>
        <button class="button small" type="button" disabled=${busy}
          onClick=${() =>
            act(
              () => changeServer(name, 'test'),
              ({ about, tools: count }) => say.serverAnswers({ about, count }),
            )}>${say.test()}</button>
        <button class="button small" type="button" disabled=${busy} onClick=${() =>
          act(
            () => changeServer(name, 'stop'),
            () => '',
          )}>${say.stop()}</button>
        ${
          server.added &&
          html`<button class="button small danger" type="button" disabled=${busy} onClick=${() =>
            act(
              () => removeServer(name),
              () => '',
            )}>${say.remove()}</button>`
        }
      </td>
    </tr>
  `
}

function Add({ onAdded }) {
  const [problem, setProblem] = useState('')
  const add = async (event) => {
    event.preventDefault()
    const form = event.target
    try {
      await addServer(Object.fromEntries(new FormData(form)))
      form.reset()
      setProblem('')
    } catch (error) {
      setProblem(problemOf(error))
    }
    onAdded()
  }
  return html`
    <form class="search" aria-label=${say.addServer()} onSubmit=${add}>
      <input name="name" aria-label=${say.name()} placeholder=${say.name()} required maxlength="32" autocomplete="off" spellcheck=${false} />
      <input name="url" type="url" aria-label=${say.address()} placeholder=${say.httpsMcp()} required maxlength="2000" autocomplete="off" />
      <button class="button" type="submit">${say.add()}</button>
    </form>
    <${Problem} text=${problem} />
  `
}

/** The MCP servers, and what they do. */
export function Servers() {
  const { value: servers, problem, renew } = useLoaded(listServers, [])
  if (servers === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  return html`
    <p class="lead">${say.serversIntro()}</p>
    <${Add} onAdded=${renew} />
    <${Problem} text=${problem} />
    ${
      servers.length === 0
        ? html`<p class="nothing">${say.noServers()}</p>`
        : html`<table class="trust-table" aria-label=${say.mcpServers()}>
            <thead><tr><th scope="col">${say.server()}</th><th scope="col">${say.state()}</th><th scope="col" class="number">${say.tools()}</th>
              <th scope="col"><span class="unseen">${say.change()}</span></th></tr></thead>
            <tbody>${servers.map((server) => html`<${Row} key=${server.name} server=${server} onChanged=${renew} />`)}</tbody>
          </table>`
    }
  `
}
