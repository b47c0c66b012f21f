import { signOut } from '../api.js'
import { initials } from '../format.js'
import { classes, html } from '../html.js'
import { Icon, Logo } from '../icons.js'
import { isAbilities, isTrust, views } from '../route.js'
import { openById } from '../sidebar.js'
import { about, found, me, report, requests, route, setMe, setTheme, shortcutsOpen, theme } from '../state.js'
import { say } from '../words.js'
import { Channels } from './channels.js'
import { Found, ThreadSearch } from './thread-search.js'

const PageLink = ({ current, view, icon, children }) => html`
  <a class=${classes('page-link', current && 'current')} href=${`#!${views[view]}`} aria-current=${current ? 'page' : undefined}>
    <${Icon} name=${icon} />${children}</a>
`

function Waiting() {
  const elsewhere = requests.value.filter((one) => one.conversation_id !== route.value.conversation)
  if (elsewhere.length === 0) return null
  const threads = [...new Set(elsewhere.map((one) => one.conversation_id))]
  return html`
    <button class="waiting-elsewhere" type="button" onClick=${() => openById(threads[0])}>
      <span class="dot waiting"></span>
      ${say.threadsWaiting({ count: threads.length })}
      <${Icon} name="chevron" />
    </button>
  `
}

const nextTheme = { system: 'light', light: 'dark', dark: 'system' }
const themeIcons = { system: 'system', light: 'sun', dark: 'moon' }

/** Afterwards, the page asks for a token. */
async function leave() {
  try {
    await signOut()
    location.reload()
  } catch (error) {
    report(error)
  }
}

function NameField() {
  const commit = (event) => {
    setMe(event.target.value)
    event.target.value = me.value
  }
  const onKeyDown = (event) => event.key === 'Enter' && event.target.blur()
  return html`
    <label>
      <span class="unseen">${say.yourName()}</span>
      <input type="text" value=${me.value} maxlength="60" spellcheck=${false} autocomplete="off" title=${say.nameHint()}
        onChange=${commit} onKeyDown=${onKeyDown} />
    </label>
  `
}

function Me() {
  return html`
    <footer class="me">
      <span class="avatar" aria-hidden="true">${initials(me.value)}</span>
      ${about.value?.signs_in ? html`<span class="me-name">${me.value}</span>` : html`<${NameField} />`}
      <button class="icon-button small" type="button" title=${say.colours({ theme: theme.value })}
        aria-label=${say.changeColours({ theme: theme.value })} onClick=${() => setTheme(nextTheme[theme.value])}>
        <${Icon} name=${themeIcons[theme.value]} />
      </button>
      <button class="icon-button small" type="button" title=${say.shortcutsHint()} aria-label=${say.shortcutsTitle()}
        onClick=${() => {
          shortcutsOpen.value = true
        }}><${Icon} name="keyboard" /></button>
      ${
        about.value?.signs_in &&
        html`<button class="icon-button small" type="button" title=${say.signOut()} aria-label=${say.signOut()} onClick=${leave}>
          <${Icon} name="leave" /></button>`
      }
    </footer>
  `
}

export function Sidebar() {
  return html`
    <nav class="sidebar" aria-label=${say.channelsThreads()}>
      <div class="brand"><${Logo} /><span>${about.value?.name ?? 'Bobbin'}</span>
        <span class="version">${about.value?.version}</span></div>
      <${Waiting} />
      <${ThreadSearch} />
      ${found.value === undefined ? html`<${Channels} />` : html`<${Found} />`}
      <div class="page-links">
        <${PageLink} view="grants" icon="shield" current=${isTrust(route.value.view)}>${say.trust()}<//>
        <${PageLink} view="ignored" icon="silent" current=${route.value.view === 'ignored'}>${say.notAnswered()}<//>
        <${PageLink} view="skills" icon="table" current=${isAbilities(route.value.view)}>${say.skillsTools()}<//>
        <${PageLink} view="agents" icon="agents" current=${route.value.view === 'agents'}>${say.agents()}<//>
        <${PageLink} view="costs" icon="coins" current=${route.value.view === 'costs'}>${say.costs()}<//>
      </div>
      <${Me} />
    </nav>
  `
}
