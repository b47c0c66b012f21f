import { html } from '../html.js'
import { Icon } from '../icons.js'
import { isElsewhere, platformName } from '../place.js'
import {
  conversationHere,
  outages,
  panelOpen,
  pendingHere,
  placeHere,
  route,
  setPanelOpen,
  sidebarOpen,
  threadState,
} from '../state.js'
import { say } from '../words.js'
import { openWorkspace } from '../workspace.js'
import { filesCount } from './files-note.js'
import { MenuButton } from './thread-menu.js'

function StateBadge() {
  const state = threadState.value
  if (state === 'running')
    return html`<span class="badge running"><span class="dot running"></span>${say.running()}</span>`
  if (state !== 'waiting') return null
  const count = pendingHere.value.length
  return html`
    <span class="badge waiting"><span class="dot waiting"></span>${count > 1 ? say.waitsForSeveral({ count }) : say.waitsForOne()}</span>
  `
}

const outageTitle = (platform, waits) => {
  if (waits === undefined) return say.platformNotConnected({ platform: platformName(platform) })
  return say.messagesWait({ count: waits, platform: platformName(platform) })
}

/** Platforms that are down or reject messages, with the reason. */
const Outages = () =>
  outages.value.length > 0 &&
  html`
    <ul class="outages" role="status" aria-label=${say.connections()}>
      ${outages.value.map(
        ({ platform, waits, detail }) => html`
          <li key=${`${platform} ${waits ? detail : ''}`}><${Icon} name="failed" /><span><b>${outageTitle(platform, waits)}</b> ${detail}</span></li>
        `,
      )}
    </ul>
  `

function Title() {
  const { conversation, view } = route.value
  if (view) return html`<div class="header-title"><h1>${viewTitles[view]}</h1></div>`
  const place = placeHere.value
  const away = isElsewhere(place)
  const title = conversation ? (conversationHere.value?.title ?? say.thread()) : away ? say.threads() : say.newThread()
  return html`
    <div class="header-title">
      ${away && html`<span class="platform" title=${`${platformName(place.platform)}, ${place.tenant_id}`}>${platformName(place.platform)}</span>`}
      <span class="crumb">${place.project_id}</span>
      <h1 title=${title} dir="auto">${title || say.untitled()}</h1>
      ${conversation && conversationHere.value?.archived && html`<span class="platform">${say.archived()}</span>`}
    </div>
  `
}

function FilesButton() {
  const count = filesCount()
  return html`
    <button class="button small files-button" type="button" aria-haspopup="dialog" aria-label=${say.filesCount({ count })}
      title=${say.filesHint()} onClick=${() => openWorkspace()}>
      <${Icon} name="folder" /><span class="files-word">${say.files()}</span><span class="files-count">(${count})</span></button>
  `
}

const viewTitles = {
  ignored: say.notAnswered(),
  grants: say.trust(),
  waiting: say.trust(),
  audit: say.trust(),
  agents: say.agents(),
  costs: say.costs(),
  skills: say.skillsTools(),
  tools: say.skillsTools(),
  servers: say.skillsTools(),
}

const PanelButton = () => html`
  <button class="icon-button" type="button" aria-label=${say.panel()} title=${say.panelHint()}
    aria-pressed=${panelOpen.value} onClick=${() => setPanelOpen(!panelOpen.value)}><${Icon} name="panel" /></button>
`

export function Header() {
  return html`
    <header class="header">
      <button class="icon-button only-narrow" type="button" aria-label=${say.channelsThreads()}
        aria-expanded=${sidebarOpen.value} onClick=${() => {
          sidebarOpen.value = !sidebarOpen.value
        }}><${Icon} name="menu" /></button>
      <${Title} />
      <${StateBadge} />
      ${route.value.view === undefined && route.value.conversation && html`<${FilesButton} />`}
      ${route.value.view === undefined && conversationHere.value && html`<${MenuButton} conversation=${conversationHere.value} />`}
      ${route.value.view === undefined && html`<${PanelButton} />`}
    </header>
    <${Outages} />
  `
}
