import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about agents: answers to commands, complaints, findings. */
export const agentsWords = catalogue({
  // checks
  anotherModelAnswersInstead: 'Another model answers instead.',
  setTrueConfigAgents: 'Set it to true in config/agents.yaml.',

  // commands
  sayThreadChannel: 'Say this in a thread of the channel.',
  noAgentThread: 'No agent is handling this thread.',
  noAgentsHereWhoever: 'There are no agents here. Whoever runs me can set some up in config/agents.yaml.',
  itCameBy: 'It came by {stack}.',
  agentsWriteNameGive: 'The agents. Write a name with @ to give one a thread:',

  // named
  illHandOutParts: 'I’ll hand out parts of this to {agents}',

  // routes
  noSuchOperation: 'That can’t be done with agents. /api/v1/openapi.json lists what can.',
  noAgentCalled: 'There is no agent called {name}.',
  thereIsOne: 'There is an agent called {name} already.',
  inTheFile: '{name} is as config/agents.yaml says.',
  changeItThere: 'Change it there, or switch it off.',

  // terminal
  lastDays: 'The last {countedDays} days:',
})
