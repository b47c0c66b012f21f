import { chatSuite } from './chat-suite.ts'
import { openSlack } from './slack-driver.ts'
import { contractSuite } from './suite.ts'

contractSuite('Slack over HTTP', openSlack('http'))
chatSuite('Slack over HTTP', openSlack('http'))
