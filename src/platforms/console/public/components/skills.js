import { useState } from 'preact/hooks'
import { changeSkill, installSkill, listSkills, readSkill, skillPackageUrl } from '../api.js'
import { visibleText } from '../format.js'
import { html } from '../html.js'
import { placeOf } from '../place.js'
import { problemOf, route } from '../state.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

/** Runs something, and shows why it failed. */
function useAction(renew) {
  const [state, setState] = useState({ busy: false, problem: '', done: '' })
  const act = async (work, done = '') => {
    setState({ busy: true, problem: '', done: '' })
    try {
      await work()
      setState({ busy: false, problem: '', done })
    } catch (error) {
      setState({ busy: false, problem: problemOf(error), done: '' })
    }
    renew()
  }
  return { ...state, act }
}

function Details({ name, place }) {
  const { value: skill, problem } = useLoaded(() => readSkill(name, place), [name], { refreshed: false })
  if (skill === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  return html`
    <div class="skill-details">
      <pre class="instructions" tabindex="0" role="group" aria-label=${say.instructions()}>${visibleText(skill.body)}</pre>
      <p>${skill.files.map(({ path }) => html`<code key=${path}>${visibleText(path)}</code> `)}</p>
    </div>
  `
}

const isOwn = ({ scope }) => scope === 'team' || scope === 'channel'

function Row({ skill, place, busy, act }) {
  const [open, setOpen] = useState(false)
  const { name, description, is_disabled: isOff, is_unreadable: isUnread, is_overridden: replaces, version } = skill
  // What holds in this channel only is changed there.
  const scope = skill.scope === 'channel' ? 'channel' : 'team'
  const change = (how) => act(() => changeSkill(name, how, { ...place, scope }))
  return html`
    <tr>
      <td data-name=${say.skill()}><b>@${name}</b><small>${visibleText(description)}</small>
        ${open && html`<${Details} name=${name} place=${place} />`}</td>
      <td data-name=${say.from()}>${skill.from}${version && html`<small>${say.versionBy({ version, name: skill.installed_by })}</small>`}
        ${replaces && html`<small>${say.replacesAnother()}</small>`}</td>
      <td data-name=${say.state()}>${isUnread ? say.unreadable() : isOff ? say.off() : say.on()}</td>
      <td class="end">
        <button class="button small" type="button" aria-expanded=${open} onClick=${() => setOpen(!open)}>${open ? say.close() : say.read()}</button>
        ${
          !isUnread &&
          html`<a class="button small" href=${skillPackageUrl(name, place)} download>${say.download()}</a>
            <button class="button small" type="button" disabled=${busy} onClick=${() => change(isOff ? 'enable' : 'disable')}>${isOff ? say.turnOn() : say.turnOff()}</button>`
        }
        ${
          isOwn(skill) &&
          html`<button class="button small" type="button" disabled=${busy} onClick=${() => change('back')}>${say.goBack()}</button>
            <button class="button small danger" type="button" disabled=${busy} onClick=${() => change('remove')}>${say.remove()}</button>`
        }
      </td>
    </tr>
  `
}

/** The skills of a channel. */
export function Skills() {
  const place = placeOf(route.value.project)
  const { platform, tenant_id: tenant, project_id: project } = place
  const { value: skills, problem, renew } = useLoaded(() => listSkills(place), [platform, tenant, project])
  const { busy, problem: refusal, done, act } = useAction(renew)
  const [scope, setScope] = useState('team')
  const install = (event) => {
    const [file] = event.target.files
    event.target.value = ''
    if (file) act(() => installSkill(file, { ...place, scope }), say.installed())
  }
  if (skills === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  return html`
    <p class="lead">${say.skillsIntro({ project })}</p>
    <div class="audit-bar">
      <label class="choice"><span>${say.installFor()}</span><select value=${scope} onChange=${(event) => setScope(event.target.value)}>
        <option value="team">${say.allChannels()}</option><option value="channel">#${project}</option>
      </select></label>
      <label class="button">${say.installSkill()}<input class="unseen" type="file" accept=".zip,.skill,.md" disabled=${busy} onChange=${install} /></label>
      <p role="status">${done}</p>
    </div>
    <${Problem} text=${refusal || problem} />
    <table class="trust-table" aria-label=${say.skills()}>
      <thead><tr><th scope="col">${say.skill()}</th><th scope="col">${say.from()}</th><th scope="col">${say.state()}</th>
        <th scope="col"><span class="unseen">${say.change()}</span></th></tr></thead>
      <tbody>${skills.map((skill) => html`<${Row} key=${skill.name} skill=${skill} place=${place} busy=${busy} act=${act} />`)}</tbody>
    </table>
  `
}
