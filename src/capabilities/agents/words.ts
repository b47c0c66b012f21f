import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about agents: answers to commands, complaints, findings. */
export const agentsWords = catalogue({
  offAgain: '{agent} no longer has this thread: from the next message on, I work myself again.',
  staysWithMe: 'No agent has this thread, and I won’t give it to one until somebody names one.',
  onlyByPeople: 'Somebody said `agents off`, so only people can give this thread to an agent.',
  handedTo: '**{agent}** has this thread. `agents off` gets me back.',
  handedOnTo: '**{agent}** has this thread. It came by {stack}. `agents off` gets me back.',

  // titles of calls, and what a thread is told
  handingOver: 'Handing over to {agent}',
  handingBack: 'Handing back',
  handsOver: '**{from}** hands this thread to **{to}**: {why}',

  // what becomes of a subagent whose agent is gone
  itsAgentIsOff: 'its agent was switched off',
  agentIsOff: 'The agent {name} was switched off.',

  // checks
  slotMissingRemedy: 'Another model answers instead.',
  triggersOffRemedy: 'Set it to true in config/agents.yaml.',

  // commands
  threadNeeded: 'Say this in a thread of the channel.',
  noAgentHere: 'No agent is handling this thread.',
  noAgents: 'There are no agents here. Whoever runs me can set some up in config/agents.yaml.',
  agentsTitle: 'The agents. Write a name with @ to give one a thread:',

  // named
  inParallel: '{agents} {count, plural, one {works on this} other {work on this side by side}}',
  oneAfterAnother: '{agents} {count, plural, one {works on this} other {work on this, one after the other}}',
  handsOutParts: 'I’ll hand out parts of this to {agents}',

  // operations
  agentNotFound: 'No such agent',
  listsAgents: 'The agents, and what they did in the last 30 days',
  readsAgent: 'An agent with its latest runs',
  nameTaken: 'There is an agent or a tool of this name',
  changesAgent: 'Changes an agent; null leaves a key unset',
  takesBack: 'Takes back what was added or changed over HTTP',
  asInFile: 'It is as agents.yaml says',
  nothingChanged: 'Nothing was changed',
  onlyInTenant: 'Only in this Slack workspace or Discord server',
  matchesAgent: 'Which agents the words of a message would choose',
  agentKeysDescription: 'The keys of an agent in agents.yaml',
  matchAnswer: 'choice (null if none), words, by_meaning (true: its meaning would decide)',

  // routes
  noSuchOperation: 'That can’t be done with agents. /api/v1/openapi.json lists what can.',
  unknownAgent: 'There is no agent called {name}.',
  addedEverywhereRemedy: 'Add it without tenant_id, switched off if you like, and then enable it there.',
  emptyTenant: '`tenant_id` is empty.',
  everyTenantRemedy: 'Leave it out to mean every workspace and server.',
  agentOff: '{name} is switched off.',
  agentOffRemedy: 'POST …/enable switches it on.',
  thereIsOne: 'There is an agent called {name} already.',
  meansTool: '@{name} means a tool, so nobody can write to an agent of this name',
  meansToolRemedy: 'Give it another name.',
  noSuchTool: '{agent}.rules: there is no tool called {tool}.',
  misspeltRemedy: 'Did you mean {meant}?',
  asFileSays: '{name} is as config/agents.yaml says.',
  storedChangeRemedy: 'Take it back with DELETE /api/v1/agents/<name>, or correct it there.',
  wrongThere: 'In {tenant}, {why}',
  fromFileRemedy: 'Change it there, or switch it off.',

  // terminal
  usage: 'Usage: agents [--tenant <Slack workspace or Discord server>]',
  agentLeftConfig: 'no longer configured',
  isOff: 'switched off',
  isHidden: 'hidden',
  noRuns: 'no runs',
  lastDays: 'The last {countedDays} days:',

  // complaints about agents.yaml, which follow the place in it
  nameForm: 'Use up to 40 lower-case letters, digits, - and _',
  oneAgentOnly: 'one agent can get the thread; or set how',
  nothingChooses: 'nothing chooses it: it needs words, or for',
  unknownAgentInRoute: 'there is no agent called "{name}"',
  meansElse: '@{name} means something else',

  // what commands do, in the list of `help`
  commandSummary: 'the agents; `agents off` gets me back',
})
