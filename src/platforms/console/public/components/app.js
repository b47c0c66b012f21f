import { useEffect, useState } from 'preact/hooks'
import { attachDropped, draftKey } from '../drafts.js'
import { classes, html } from '../html.js'
import { Icon, Logo } from '../icons.js'
import { focusComposer } from '../keyboard.js'
import { isElsewhere } from '../place.js'
import { isAbilities, isTrust } from '../route.js'
import {
  about,
  announcement,
  canWrite,
  conversationHere,
  describe,
  panelOpen,
  placeHere,
  refused,
  route,
  setPanelOpen,
  sidebarOpen,
} from '../state.js'
import { say } from '../words.js'
import { Abilities } from './abilities.js'
import { Agents } from './agents.js'
import { Composer } from './composer.js'
import { Costs } from './costs.js'
import { Elsewhere } from './elsewhere.js'
import { Header } from './header.js'
import { NotAnswered } from './not-answered.js'
import { Notices, PracticeBanner } from './notices.js'
import { Panel } from './panel.js'
import { Shortcuts } from './shortcuts.js'
import { Sidebar } from './sidebar.js'
import { Subagent } from './subagent.js'
import { ThreadMenu } from './thread-menu.js'
import { ThreadView } from './thread-view.js'
import { Trust } from './trust.js'
import { Workspace } from './workspace.js'

const carriesFiles = (event) => event.dataTransfer?.types.includes('Files')

const isWritable = () => route.peek().view === undefined && canWrite.peek()

/** Files can be dropped anywhere, because the browser would otherwise open a file that missed the target. */
function useDrop() {
  const [over, setOver] = useState(false)
  useEffect(() => {
    let depth = 0
    const handlers = {
      dragenter: (event) => {
        if (!carriesFiles(event)) return
        depth += 1
        setOver(isWritable())
      },
      dragleave: (event) => {
        if (!carriesFiles(event)) return
        depth = Math.max(0, depth - 1)
        if (depth === 0) setOver(false)
      },
      dragover: (event) => {
        if (carriesFiles(event)) event.preventDefault()
      },
      drop: (event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        depth = 0
        setOver(false)
        if (!isWritable()) return
        attachDropped(draftKey(route.peek()), event.dataTransfer)
        focusComposer()
      },
    }
    for (const [name, handler] of Object.entries(handlers)) addEventListener(name, handler)
    return () => {
      for (const [name, handler] of Object.entries(handlers)) removeEventListener(name, handler)
    }
  }, [])
  return over
}

const Refused = () => html`
  <main class="refused">
    <${Logo} />
    <h1>${say.signedOut()}</h1>
    <p>${describe(refused.value)}</p>
    <button class="button primary" type="button" onClick=${() => location.reload()}>${say.signIn()}</button>
  </main>
`

function Writing() {
  const { parent } = conversationHere.value ?? {}
  if (parent) return html`<${Subagent} parent=${parent} />`
  if (isElsewhere(placeHere.value)) return html`<${Elsewhere} />`
  const id = draftKey(route.value)
  return html`<${Composer} key=${id} id=${id} />`
}

function Content({ view }) {
  if (view === 'ignored') return html`<${NotAnswered} />`
  if (view === 'costs') return html`<${Costs} />`
  if (view === 'agents') return html`<${Agents} />`
  if (isAbilities(view)) return html`<${Abilities} view=${view} />`
  return isTrust(view) ? html`<${Trust} view=${view} />` : html`<${ThreadView} /><${Writing} />`
}

export function App() {
  const over = useDrop()
  if (refused.value) return html`<${Refused} />`
  const hasComposer = route.value.view === undefined && canWrite.value
  const closeDrawers = () => {
    sidebarOpen.value = false
    if (matchMedia('(max-width: 1020px)').matches) setPanelOpen(false)
  }
  return html`
    <div class=${classes('app', sidebarOpen.value && 'sidebar-open', panelOpen.value && 'panel-open')}>
      <a class="skip" href=${hasComposer ? '#composer' : '#main'} onClick=${(event) => {
        event.preventDefault()
        focusComposer()
      }}>${hasComposer ? say.skipToComposer() : say.skipNavigation()}</a>
      <${Sidebar} />
      <main class="main" id="main" aria-label=${route.value.view === undefined ? 'Thread' : 'Page'} tabindex="-1">
        <${Header} />
        ${about.value?.model.practice && html`<${PracticeBanner} />`}
        <${Content} view=${route.value.view} />
      </main>
      ${route.value.view === undefined && html`<${Panel} />`}
      <div class="scrim" onClick=${closeDrawers}></div>
      ${over && html`<div class="drop-target"><div><${Icon} name="attach" />${say.dropHint()}</div></div>`}
      <${Notices} />
      <${Shortcuts} />
      <${Workspace} />
      <${ThreadMenu} />
      <div class="unseen" role="status" aria-live="polite">${announcement.value}</div>
    </div>
  `
}
