import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about skills: answers to commands, complaints, findings. */
export const skillsWords = catalogue({
  // about a skill that somebody sent
  aboutSkill: 'About this skill',
  skillCalled: 'Skill: {name}',
  saysItIsFor: 'It says it’s for: {description}',
  license: 'License: {license}',
  replacesShipped: 'It takes the place of the skill that comes with Bobbin.',
  nameOfTool: '@{name} means a tool, so people can’t load this skill by writing that.',
  takesName:
    'Where this skill is installed, @{name} loads it, and no longer means {owner, select, agents {the agent of that name} other {what has that name in {owner}}}.',
  noScripts: 'It has no scripts.',
  scripts: 'Scripts: {count}. Each asks before it runs.',
  files: 'Files:',
  fileNotShown: '{path} ({size}, not shown below)',

  // what was installed
  takesPlace: 'It takes the place of the one that {source, select, bobbin {comes with Bobbin} other {was there}}.',
  channelKeepsOwn: 'This channel has its own skill of that name, which it keeps.',
  staysOff: 'In this channel, it stays switched off.',
  loadedByName: 'People can load it with @{name}.',
  goesBack: '`{command}` goes back.',

  // a name that no skill has
  unknownSkill: 'There is no skill {name} here.',
  misspeltRemedy: 'Did you mean {name}?',
  thereAre: 'There are: {names}.',
  noneToOffer: 'There are none.',

  // a thread that can't have more
  threadFull:
    'A thread can have {most, plural, one {# skill} other {# skills}}, so I didn’t load {names}. To use {count, plural, one {it} other {them}}, start a new thread, or say `reset`: that clears this thread’s history and unloads its skills.',
  noRoom:
    'Not loaded: a thread can have {most, plural, one {# skill} other {# skills}}. Ask people to start a new thread, or to say `reset`, which clears this thread’s history and unloads its skills.',

  // a loaded skill for which the prompt has no room
  readFirst: 'This skill is loaded in this thread. Before work that it is for, read {file}.',

  // an installed skill whose files can't be read
  cannotBeRead: 'It can’t be read.',
  cannotBeReadRemedy: 'Whoever runs Bobbin can find out why with `bobbin doctor`.',
  onButUnread: 'It can’t be read, so it can’t be used. Whoever runs me can find out why with `bobbin doctor`.',
  loadedUnreadable:
    'This skill is loaded in this thread, but its files can’t be read, so nobody knows what it says now. What you read of it earlier may be out of date. Tell people before you do such work without it.',
  unreadableTitle: 'These can’t be read, so they can’t be used. Whoever runs me can find out why with `bobbin doctor`:',
  storedUnreadable: 'The skill {name}, which a team has installed, can’t be read: {reason}',
  storedUnreadableRemedy:
    'Restore `{folder}` from the same backup as the database, and let the user that runs Bobbin read it.',

  // titles of calls
  loading: 'Loading the skill {name}',
  running: 'Running {script} of the skill {skill}',
  installing: 'Installing the skill in {path}',
  installingPackages: 'Installing packages for the skill {skill}',

  // change skills
  skillInstalled: 'Installed {name} in {folder}. Restart Bobbin to use it.',
  sourceMissing: 'Path does not exist: {source}.',
  sourceMissingRemedy: 'Name a zip or a folder.',
  notRemovableRemedy:
    'Only your own can be removed; those that come with Bobbin are switched off in config/skills.yaml.',
  noSkill: 'There is no skill {name} in {config}.',
  skillRemoved: 'Removed {name}. Restart Bobbin to stop using it.',

  // direct messages
  directOnlyForThread: 'In a direct message, a skill can be installed or changed only for that direct message.',
  tenantScopeRemedy: 'Use the scope `channel`.',
  everywhereRemedy: 'Leave out `everywhere`.',

  // commands
  threadNeeded: 'Change skills in a thread of the channel: mention me there with this command.',
  noSkills: 'There are no skills here yet. Send me a zip with one, or a SKILL.md.',
  skillsTitle: 'The skills here. Write a name with @ to load it into a thread:',
  switchedOffTitle: 'Turned off, but you can still load these with @ and their name:',
  versionBy: '- Version {version}, by {name}',
  ownVersion: '- Its own version: {version}',
  metadata: '- What it says of itself: {facts}',
  rulesBroken:
    '- It breaks {count, plural, one {# rule} other {# rules}} of the specification, and works all the same.',
  nothingBefore: 'Nothing to do: {scope}, {name} has no earlier version.',
  removedHere: 'Removed {name} {place}. `{command}` brings it back.',
  removedBefore: 'There is no skill {name} here now. `{command}` brings it back.',
  notEverywhere: '{name} is only in this channel.',
  ofTeam: '{name} is installed for the whole team.',
  removeEverywhereRemedy: '`skills remove {name} everywhere` removes it.',
  notRemovable:
    '{name} {source, select, bobbin {comes with Bobbin} other {comes from whoever runs me}}, so it can’t be removed here.',
  switchOffRemedy: '`skills off {name}` takes it out of my list.',

  // packages
  skillChangedRemedy: 'Load the skill again.',
  alreadyInstalled: 'They’re already installed.',
  packagesTooLarge: 'They take {bytesUsed} bytes; {bytes} are allowed.',
  packagesInstalled: 'Installed what {file} of {name} names. Its scripts find it, in all threads.',
  packagesNeedSandbox: 'There is no sandbox here to install packages in.',
  packagesNeedSandboxRemedy: 'Install bubblewrap.',
  installTimedOut: 'It took longer than {timeoutMs} ms.',
  installFilledDisk: 'The disk that holds Bobbin’s data is nearly full.',
  packagesNotInstalled: 'The packages couldn’t be installed. {how} {said}',
  packagesLeftOutside: 'The packages weren’t kept: their installation put a link or a file where {path} should be.',
  withoutPackagesRemedy: 'Try without them, or tell people.',

  // read package
  packageTooLarge: 'It has more than {bytes} bytes.',
  packageTooLargeRemedy: 'Ask for a smaller one.',
  mainFileMissingRemedy: 'Send a zip with one skill in it: a folder with a SKILL.md, and what belongs to it.',
  mainFileMissing: 'This has no SKILL.md at its top.',
  nameForAgents: '@{name} is for agents, so no skill can have this name.',
  skillUnusable: 'This skill can’t be used. {why}',
  skillUnusableRemedy: 'Correct its SKILL.md.',

  // routes
  wrongMethod: 'Use another method.',
  noMessage: 'There is no message to match.',
  messageRemedy: 'Send JSON with a `message`.',
  halfPlace: 'Which channel is meant isn’t clear.',
  scopeLacksChannel: 'No channel is named.',
  placeRemedy: 'Send `platform`, `tenant_id` and `project_id` together, or `project_id` alone for one of the console.',
  noSuchScope: 'There is no scope {scope}.',
  scopeRemedy: 'Use team or channel.',

  // terminal
  refusedNote: 'It can’t be used like this.',
  acceptedNote: 'It can be used all the same.',
  rulesBrokenCount: 'It breaks {count}.',
  mainFileNotThere: 'Missing required file: SKILL.md.',

  // what commands do, in the list of `help`
  commandSummary: 'the skills of this channel; with a name, more about one',

  nameMissing: 'Say `skills` and a name, such as `skills pdf` or `skills off pdf`.',
})
