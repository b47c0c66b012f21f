import { approvalsSuite } from './approvals-suite.ts'
import { openSlack } from './slack-driver.ts'

approvalsSuite('Slack over HTTP', openSlack('http'))
approvalsSuite('Slack over Socket Mode', openSlack('socket'))
