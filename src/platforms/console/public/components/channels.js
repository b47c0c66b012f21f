import { useRef, useState } from 'preact/hooks'
import { closeOnEscape } from '../close-on-escape.js'
import { classes, html } from '../html.js'
import { Icon } from '../icons.js'
import { isElsewhere, placeOf, platformName } from '../place.js'
import { addChannel, hashOf } from '../route.js'
import { archiveShown, conversations, groups, outages, projects, route } from '../state.js'
import { loadMoreThreads, showArchive } from '../thread-list.js'
import { say } from '../words.js'
import { EndlessList, ThreadLink } from './thread-links.js'

/** Channels shown per workspace or server; a button shows the rest. */
const shownChannels = 12

const NewThread = ({ project, current }) => html`
  <li>
    <a class=${classes('new-thread', current && 'current')} href=${hashOf(project)}
      aria-current=${current ? 'page' : undefined}><${Icon} name="plus" />${say.newThread()}</a>
  </li>
`

const Archive = ({ shown }) => html`
  <li>
    <button class="archive-toggle" type="button" aria-pressed=${shown} onClick=${() => showArchive(!shown)}>
      ${shown ? say.closeArchive() : say.archivedThreads()}</button>
  </li>
`

function Threads() {
  const { project, conversation, view } = route.value
  const { list, project: of, archived, cursor } = conversations.value
  const isArchive = archiveShown.value
  const shown = of === project && archived === isArchive ? list : []
  const place = placeOf(project)
  return html`
    ${
      !isElsewhere(place) &&
      !isArchive &&
      html`<ul class="threads-head"><${NewThread} project=${project} current=${!conversation && !view} /></ul>`
    }
    <${EndlessList} class="threads" label=${isArchive ? say.archiveOf({ name: place.project_id }) : say.threadsIn({ name: place.project_id })} more=${loadMoreThreads}>
      ${shown.map((one) => html`<${ThreadLink} key=${one.id} conversation=${one} project=${project} />`)}
      ${!cursor && html`<${Archive} shown=${isArchive} />`}
    <//>
  `
}

function Channel({ id, name }) {
  const current = id === route.value.project
  return html`
    <li class=${classes('channel', current && 'current')}>
      <a href=${hashOf(id)} aria-expanded=${current}><${Icon} name="hash" /><span>${name}</span></a>
      ${current && html`<${Threads} />`}
    </li>
  `
}

function AddChannel() {
  const [open, setOpen] = useState(false)
  const field = useRef(null)
  const submit = (event) => {
    event.preventDefault()
    addChannel(field.current.value)
    setOpen(false)
  }
  if (!open) {
    return html`<button class="icon-button small" type="button" aria-label=${say.addChannel()} title=${say.addChannel()}
      onClick=${() => setOpen(true)}><${Icon} name="plus" /></button>`
  }
  return html`
    <form class="add-channel" onSubmit=${submit}>
      <input ref=${(element) => {
        if (element && element !== field.current) element.focus()
        field.current = element
      }} type="text" aria-label=${say.nameChannel()} placeholder=${say.channelName()} maxlength="48"
        onKeyDown=${closeOnEscape(() => setOpen(false))} onBlur=${() => setOpen(false)} />
    </form>
  `
}

/** A workspace or server of another platform, with the channels where the bot was used. */
function Group({ platform, tenant, channels }) {
  const [all, setAll] = useState(false)
  const outage = outages.value.find((one) => one.platform === platform && one.waits === undefined)
  const current = route.value.project
  const shown = channels.filter(({ key }, index) => all || index < shownChannels || key === current)
  const hidden = channels.length - shown.length
  return html`
    <section class="group" aria-label=${`${platformName(platform)}, ${tenant}`}>
      <div class="channels-head"><h2>${platformName(platform)} <small>${tenant}</small></h2>
        ${outage && html`<span class="down" title=${outage.detail}>${say.notConnected()}</span>`}</div>
      <ul class="channels">
        ${shown.map(({ key, name }) => html`<${Channel} key=${key} id=${key} name=${name} />`)}
        ${
          hidden > 0 &&
          html`<li><button class="button small plain" type="button" onClick=${() => setAll(true)}>${say.more({ count: hidden })}</button></li>`
        }
      </ul>
    </section>
  `
}

/** The console's channels, and those of other platforms by workspace. */
export const Channels = () => html`
  <div class="places">
    <section class="group" aria-label=${say.console()}>
      <div class="channels-head"><h2>${groups.value.length > 0 ? say.console() : say.channels()}</h2><${AddChannel} /></div>
      <ul class="channels">
        ${projects.value.map((project) => html`<${Channel} key=${project} id=${project} name=${project} />`)}
      </ul>
    </section>
    ${groups.value.map((group) => html`<${Group} ...${group} key=${group.key} />`)}
  </div>
`
