import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about mcp: answers to commands, complaints, findings. */
export const mcpWords = catalogue({
  // a server that can't be used
  failedBefore: 'The MCP server {server} failed: {why}',
  startedAgainIn: 'It will be started again in {seconds} s at the earliest.',
  cantBeUsed: 'The MCP server {server} can’t be used: {why}',
  runDoctor: 'Whoever runs the bot can run `bobbin doctor`.',
  notSetUp: 'The MCP server {server} isn’t set up, or is switched off.',
  setUpIn: 'Whoever runs the bot can set it up in config/mcp_servers.yaml.',
  botIsStopping: 'The bot is stopping.',
  tryInAMoment: 'Try again in a moment.',
  tooManyAtOnce: 'Too many MCP servers are running at once.',
  tryWhenOneIsDone: 'Try again when one of them is done.',
  noSandbox: 'There is no sandbox here.',
  installOrSwitchOff: 'Install bubblewrap, or set sandbox: false.',
  listsTooMuch: 'What it lists is too large: its tools take more than {size}.',
  raiseLimits: 'Raise limits.definition_bytes in config/mcp_servers.yaml, or have the server offer fewer tools.',
  correctAddress: 'Correct it in config/mcp_servers.yaml.',

  // a call that fails
  callRefused: 'The server refused the call: {why}',
  wantsLogin: 'The server requires a login.',
  operatorCan: 'Whoever runs the bot can log in.',
  tryLater: 'Try again later.',
  toolChanged: 'The MCP server {server} has just changed the tool {tool}, so it wasn’t called.',
  callAgainToShow: 'Call it again: a person is shown what has changed.',
  toolGone: 'The MCP server {server} no longer has the tool {tool}.',
  doWithout: 'Continue without it.',

  // checks
  noneSeeConfigMcp: 'There are none. See config/mcp_servers.yaml.',
  itHasNo: '{fact} It has no {missing}.',
  correctToolsConfigMcp: 'Correct its tools in config/mcp_servers.yaml.',
  answerBreaksProtocol: 'its answer breaks the protocol ({faults})',
  correctConfigMcpServers: 'Correct it in config/mcp_servers.yaml, or set enabled: false.',

  // commands
  noMcpServersWhoever: 'There are no MCP servers. Whoever runs me names them in config/mcp_servers.yaml.',
  mcpServers: 'The MCP servers:',
  noMcpServerSay: 'There is no MCP server {name}. Say `mcp` for a list.',
  doThreadChannelMention: 'Do this in a thread of the channel: mention me there with this command.',
  whatOffersWordsTell: 'What {name} offers, in its words. Tell me which one to use, and its arguments:\n{text}',
  loggedAsDid: 'I’m logged in to {name} with {account}’s account. It has {tools}.',
  openAddressLogWithin:
    'Open this address{where}, log in within 5 minutes, and then say here the number that your browser shows, as `mcp login {name} 123456`. What I do there, I do with your account, for everybody who may use its tools.\n{href}',

  loggedOut: 'Logged out of {name}.',
  loggedOutRevoked: 'Logged out of {name}, and the server has revoked the login.',
  offersNoPrompts: '{name} offers no prompts.',
  answersWith: '{name} ({about}) answers, and has {tools}.',
  stopped: '{name} is stopped. It starts again when one of its tools is called.',
  needsNoLogin: '{name} needs no login.',
  usage: 'Say `mcp` and `prompts`, `test`, `start`, `stop`, `login` or `logout` with a name to do that.',

  // elicit
  goOn: 'Continue?',
  yes: 'Yes',
  no: 'No',
  mcpServerAsksDont: 'The MCP server {server} asks: {message} Don’t give it passwords or keys.',

  // callback
  nothingHere: 'There is nothing here.',
  notLoginBegun: 'This isn’t the login that was started.',
  notAllowedYouCan: 'Access wasn’t granted. You can close this window.',
  loginNotAllowed: 'Access wasn’t granted.',
  tryAgain: 'Try again.',
  nobodyLoggedTime: 'Nobody completed the login in time.',
  anotherLoginMayUnder: 'Another login may be under way. Try again in a few minutes.',
  iCantListenBrowser: 'I can’t listen for the browser to come back.',

  // in chat
  almostNowSayThread:
    'Almost there. Now say this in the thread, within {minutes, plural, one {# minute} other {# minutes}}: <b>mcp login {name} {code}</b>.',
  youHaveBegunNo: 'You haven’t started a login to {name}.',
  isntNumberYourBrowser: 'This isn’t the number that your browser shows once you have logged in.',
  loginFailed: 'The login failed: {why}',

  // log in
  bobbinLoggedYouCan: 'Bobbin is logged in. You can close this window.',

  // routes
  noMcpServer: 'There is no MCP server {name}.',
  usePost: 'Use POST.',
  bodyNotJson: 'The body is not JSON.',

  // log in
  loginFailedBecause: 'The login failed: {reason}',
  correctServerConfigMcp: 'Correct the server in config/mcp_servers.yaml.',

  // terminal
  noMcpServersSee: 'There are no MCP servers. See config/mcp_servers.yaml.',
  noMcpServerConfig: 'There is no MCP server {name} in config/mcp_servers.yaml. There are: {names}.',
  openAddressBrowserMachine: 'Open this address in a browser on this machine, within 5 minutes:\n{href}',
  loginDeleted: 'The login of {name} is deleted.',
  loginDeletedRevoked: 'The login of {name} is deleted, and the server has revoked it.',
  needsNoLoginOrHas: '{name} needs no login, or has one.',
  loggedRunningBotUses: 'Logged in to {name}. A running bot uses it from now on.',

  // what commands do, in the list of `help`
  commandSummary: 'the MCP servers, and what can be done with them',
})
