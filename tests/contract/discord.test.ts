import { chatSuite } from './chat-suite.ts'
import { openDiscord } from './discord-driver.ts'
import { contractSuite } from './suite.ts'

contractSuite('Discord', openDiscord)
chatSuite('Discord', openDiscord)
