import { html } from '../html.js'
import { Icon } from '../icons.js'
import { conversationHere, panelOpen, pendingHere, route, setPanelOpen, sidebarOpen, threadState } from '../state.js'

function StateBadge() {
  const state = threadState.value
  if (state === 'running') return html`<span class="badge running"><span class="dot running"></span>Running</span>`
  if (state !== 'waiting') return null
  const count = pendingHere.value.length
  return html`
    <span class="badge waiting"><span class="dot waiting"></span>Waiting for you${count > 1 ? ` (${count})` : ''}</span>
  `
}

export function Header() {
  const { project, conversation } = route.value
  const title = conversation ? (conversationHere.value?.title ?? 'Thread') : 'New thread'
  return html`
    <header class="header">
      <button class="icon-button only-narrow" type="button" aria-label="Channels and threads"
        aria-expanded=${sidebarOpen.value} onClick=${() => {
          sidebarOpen.value = !sidebarOpen.value
        }}><${Icon} name="menu" /></button>
      <div class="header-title">
        <span class="crumb">${project}</span>
        <h1 title=${title}>${title}</h1>
      </div>
      <${StateBadge} />
      <button class="icon-button" type="button" aria-label="Plan and files" title="Plan and files (f)"
        aria-pressed=${panelOpen.value} onClick=${() => setPanelOpen(!panelOpen.value)}><${Icon} name="panel" /></button>
    </header>
  `
}
