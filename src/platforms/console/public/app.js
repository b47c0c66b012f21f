import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './components/app.js'
import { openThread } from './feed.js'
import { html } from './html.js'
import { startKeyboard } from './keyboard.js'
import { startOutbox } from './outbox.js'
import { startRoute } from './route.js'
import { refreshSoon, startSidebar } from './sidebar.js'
import { route } from './state.js'
import { startTitle } from './title.js'

startRoute()
effect(() => openThread(route.value.conversation))
effect(() => {
  if (route.value.project) refreshSoon()
})
startSidebar()
startOutbox()
startTitle()
startKeyboard()
render(html`<${App} />`, document.getElementById('app'))
