import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about mcp: answers to commands, complaints, findings. */
export const mcpWords = catalogue({
  // a server that can't be used
  failedBefore: 'The MCP server {server} failed: {why}',
  restartDelayed: 'It will be started again in {seconds} s at the earliest.',
  serverUnusable: 'The MCP server {server} can’t be used: {why}',
  failedBeforeRemedy: 'Whoever runs the bot can run `bobbin doctor`.',
  notSetUp: 'The MCP server {server} isn’t set up, or is switched off.',
  notSetUpRemedy: 'Whoever runs the bot can set it up in config/mcp_servers.yaml.',
  stopping: 'The bot is stopping.',
  stoppingRemedy: 'Try again in a moment.',
  serversFull: 'Too many MCP servers are running at once.',
  serversFullRemedy: 'Try again when one of them is done.',
  noSandbox: 'There is no sandbox here.',
  noSandboxRemedy: 'Install bubblewrap, or set sandbox: false.',
  listsTooMuch: 'What it lists is too large: its tools take more than {size}.',
  listsTooMuchRemedy: 'Raise limits.definition_bytes in config/mcp_servers.yaml, or have the server offer fewer tools.',
  addressRemedy: 'Correct it in config/mcp_servers.yaml.',

  // a call that fails
  callRefused: 'The server refused the call: {why}',
  wantsLogin: 'The server requires a login.',
  workspacesLogIn:
    'Each workspace logs in for itself, in a thread. For checks and calls by hand, run `bobbin mcp login {name}`.',
  wantsLoginRemedy: 'Whoever runs the bot can log in.',
  tokensUnanswered: 'there is no new token for the server at the moment, because whoever gives them is away',
  tokensRefused: 'the server that gives the tokens refused: {why}',
  tryLaterRemedy: 'Try again later.',
  toolChanged: 'The MCP server {server} has just changed the tool {tool}, so it wasn’t called.',
  toolChangedRemedy: 'Call it again: a person is shown what has changed.',
  toolGone: 'The MCP server {server} no longer has the tool {tool}.',
  toolGoneRemedy: 'Continue without it.',
  toolOff: 'The tool {tool} of the MCP server {server} is switched off.',
  toolOffRemedy: 'Its `enabled: false` is in config/mcp_servers.yaml.',

  // a tool that has changed
  parametersUnfit: 'its parameters are now too large or too deeply nested for models, which will no longer get it',

  // checks
  checkedNone: 'There are none. See config/mcp_servers.yaml.',
  loginToCheck: '{name} wants a login, so its tools weren’t checked.',
  toolsMissing: '{fact} It has no {missing}.',
  toolsLeftOut: 'Left out, because what it says of them breaks the protocol: {names}.',
  toolsUnfit:
    'Left out, because their parameters are nested too deeply, or take more than limits.definition_bytes ({size}): {names}.',
  toolsBeyond: 'Left out, because limits.tools allows {most}: {names}.',
  others: 'others',
  toolsMissingRemedy: 'Correct its tools in config/mcp_servers.yaml.',
  protocolBroken: 'its answer breaks the protocol ({faults})',
  tooMany:
    'The servers have {tools} tools for every thread. Models’ APIs take {most} with Bobbin’s own, so models load some of these only when they need them.',
  tooManyRemedy:
    'Say `enabled: false` in config/mcp_servers.yaml of those that nobody needs, and `always_available: false` of those that few need.',
  checkFailedRemedy: 'Correct it in config/mcp_servers.yaml, or set enabled: false.',

  // commands
  noServers: 'There are no MCP servers. Whoever runs me names them in config/mcp_servers.yaml.',
  mcpServers: 'The MCP servers:',
  crowded:
    'Models’ APIs take {most} tools with Bobbin’s own, so {crowded, plural, one {one of these is} other {# of these are}} described to the model only once it loads {crowded, plural, one {it} other {them}}.',
  unknownServer: 'There is no MCP server {name}. Say `mcp` for a list.',
  threadNeeded: 'Do this in a thread of the channel: mention me there with this command.',
  promptsOffered: 'What {name} offers, in its words. Tell me which one to use, and its arguments:\n{text}',
  loggedInFor: 'I’m logged in to {name} with {account}’s account. It has {tools}.',
  loginInChat:
    'Open this address{where}, log in within 5 minutes, and then say here the number that your browser shows, as `mcp login {name} 123456`. What I do there, I do with your account, for everybody who may use its tools.\n{href}',

  changeSharedLogin: 'change an MCP login that is shared with others',
  stopSharedServer: 'stop an MCP server that is shared with others',
  listSharedPrompts: 'list the prompts of an MCP server that is shared with others',
  loggedOut: 'Logged out of {name}.',
  loggedOutRemotely: 'Logged out of {name}, and the server has revoked the login.',
  promptsNotOffered: '{name} offers no prompts.',
  answersWith: '{name} ({about}) answers, and has {tools}.',
  stopped: '{name} is stopped. It starts again when one of its tools is called.',
  loginNotNeeded: '{name} needs no login.',
  usage: 'Say `mcp` and `prompts`, `test`, `start`, `stop`, `login` or `logout` with a name to do that.',

  andMore: 'and {count} more',

  // what a server may not ask for
  formTooLarge: 'The server asked for more than fits into a form, so nobody was asked.',
  questionsOver: 'The server asked more than {most} questions, so nobody was asked the others.',
  samplingRefused: 'The server wanted more of a model than one call may, and was refused.',

  // elicit
  continueQuestion: 'Continue?',
  yes: 'Yes',
  no: 'No',
  serverAsks: 'The MCP server {server} asks: {message} Don’t give it passwords or keys.',

  // callback
  nothingHere: 'There is nothing here.',
  otherLogin: 'This isn’t the login that was started.',
  loginRefusedInBrowser: 'Access wasn’t granted. You can close this window.',
  loginRefused: 'Access wasn’t granted.',
  tryAgainRemedy: 'Try again.',
  loginTimedOut: 'Nobody completed the login in time.',
  callbackPortRemedy: 'Another login may be under way. Try again in a few minutes.',
  callbackPortTaken: 'I can’t listen for the browser to come back.',

  // in chat
  loginCodeShown:
    'Almost there. Now say this in the thread, within {minutes, plural, one {# minute} other {# minutes}}: <b>mcp login {name} {code}</b>.',
  noLoginBegun: 'You haven’t started a login to {name}.',
  wrongLoginCode: 'This isn’t the number that your browser shows once you have logged in.',
  loginFailed: 'The login failed: {why}',
  loginUnanswered: 'the server that gives the tokens didn’t answer in time',

  // login of
  loginImpossible: '{name} isn’t reached over HTTP, so nobody logs in to it.',
  loginImpossibleRemedy: 'It’s used without a login.',

  // log in
  loginDoneInBrowser: 'Bobbin is logged in. You can close this window.',
  loginFailedInBrowser: 'The login failed. The terminal where you started it says why.',

  // routes
  addedBefore: 'There is already a server {name}, which was added before.',
  addedBeforeRemedy: 'Remove it first: DELETE /api/v1/mcp/servers/{name}.',
  unknownServerId: 'There is no MCP server {name}.',
  usePost: 'Use POST.',
  unparsableBody: 'The body is not JSON.',

  // log in
  loginFailedBecause: 'The login failed: {reason}',
  codeOfAnother: 'the browser came back from another server than the one that would get its code',
  codeOfNobody: 'the browser came back without saying which server sent it, and the right one always says so',
  tokenServerAway: 'the server that gives the tokens is away at the moment',
  loginFailedRemedy: 'Correct the server in config/mcp_servers.yaml.',

  // terminal
  noneConfigured: 'There are no MCP servers. See config/mcp_servers.yaml.',
  serverOrigin: 'added over HTTP',
  unknownServerInTerminal: 'There is no MCP server {name}. There are: {names}.',
  loginInTerminal: 'Open this address in a browser on this machine, within 5 minutes:\n{href}',
  loginDeleted: 'The login of {name} is deleted.',
  loginDeletedRemotely: 'The login of {name} is deleted, and the server has revoked it.',
  loginNotNeededNow: '{name} needs no login, or has one.',
  tenantLoginFromTerminal: 'Logged in to {name}, for checks and calls by hand.',
  workspacesChangeLogins: 'Each workspace has a login of its own, which is changed in its threads.',
  loggedInFromTerminal: 'Logged in to {name}. A running bot uses it from now on.',

  // what commands do, in the list of `help`
  commandSummary: 'the MCP servers, and what can be done with them',
})
