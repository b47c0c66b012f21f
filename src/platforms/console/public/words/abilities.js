/** What the console says about what the bot can do: skills, tools, servers. */
export const abilities = {
  // abilities
  skillsTools: 'Skills and tools',

  // servers
  serverAnswers: '{about} answers, with {count, plural, one {# tool} other {# tools}}.',
  test: 'Test',
  stop: 'Stop',
  remove: 'Remove',
  addServer: 'Add a server',
  name: 'Name',
  address: 'Address',
  httpsMcp: 'https://…/mcp',
  add: 'Add',
  serversIntro:
    'Servers whose tools the bot may use. Programs, secrets and limits are set in config/mcp_servers.yaml; addresses can be added here.',
  noServers: 'There are none.',
  mcpServers: 'MCP servers',
  server: 'Server',
  state: 'State',
  tools: 'Tools',
  change: 'Change',

  // skills
  versionBy: 'version {version}, by {name}',
  replacesAnother: 'replaces another skill of this name',
  off: 'off',
  on: 'on',
  unreadable: 'can’t be read',
  read: 'Read',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  installed: 'Installed.',
  allChannels: 'all channels',
  instructions: 'Instructions',
  goBack: 'Go back',
  skills: 'Skills',
  skillsIntro:
    'What the bot knows how to do in #{project}. People load a skill by writing its name with @, and the model loads those that are on by itself.',
  installFor: 'Install for',
  installSkill: 'Install a zip or SKILL.md',
  skill: 'Skill',

  // tools
  toolsIntro:
    'What the bot can do in a thread. Whether it asks depends on the call, too: on patterns in hitl_rules.yaml, on what others wrote in the thread, and on what people have allowed.',
  availability: 'In a thread',
  availableWhen:
    '{tier, select, by_name {when somebody writes its name with @} on_demand {when the model loads it} other {always}}',
  approvalOf: '{action, select, allow {runs without asking} deny {forbidden} other {asks}}',
  noApproval: 'not needed',
  timeLimit: 'Time limit',
  noTimeLimit: '–',
  inSeconds: '{count} s',
  unavailableBecause: 'Not available. {why}',
  afterCrash: 'After a crash',
  runsAgain: '{again, select, true {runs again} other {isn’t repeated}}',
}
