import { catalogue } from '../kit/words/catalogue.ts'

/** What people and the model read when the workspace of a thread refuses something, and what helps. */
export const workspaceWords = catalogue({
  // paths
  emptyPath: '{path} is empty.',
  emptyPathRemedy: 'Name a file or folder; "." is the workspace.',
  nulInPath: '{path} contains a NUL character.',
  nulInPathRemedy: 'Leave it out.',
  backslash: '{path} contains a backslash.',
  backslashRemedy: 'Write paths with forward slashes.',
  absolute: '{path} is an absolute path.',
  absoluteRemedy: 'Write it relative to the workspace, such as "outputs/report.md".',
  dots: '{path} contains "..".',
  dotsRemedy: 'Write the path from the root of the workspace.',
  pathTooLong: '{path} is too long: at most {names} names and {bytes} bytes.',
  pathTooLongRemedy: 'Use fewer folders.',
  longName: '{path} has a name of {bytes} bytes; {allowed} are allowed.',
  longestName: '{path} has a name that is too long.',
  longNameRemedy: 'Use a shorter name.',
  ownName: '{path} has a name that the bot keeps for itself.',
  ownNameRemedy: 'Use another name.',
  readOnlyPart: '{path} cannot be written.',
  readOnlyPartRemedy: 'Write to a file below outputs/, temp/ or uploads/; the rest is read-only.',

  // what is there
  link: '{path} is a link or leads through one.',
  linkRemedy: 'Links are never followed. Name the real file.',
  hardLink: '{path} is a hard link: the file has other names.',
  hardLinkRemedy: 'Copy it to a new file and read the copy.',
  folder: '{path} is a folder.',
  folderRemedy: 'Name a file in it.',
  special: '{path} is not a regular file (a pipe, socket or device).',
  specialRemedy: 'Name a file. list_files shows what a folder holds.',
  noFolder: '{path} is not a folder.',
  noFolderRemedy: 'Name the folder that it is in.',
  missing: '{path} does not exist.',
  missingRemedy: 'Use list_files or find_files to see what there is.',
  taken: '{path} exists already.',
  takenRemedy: 'Choose another name.',
  held: '{path} belongs to a command that is running.',
  heldRemedy: 'Change it once the command has ended, or write to another file.',
  tooMany: '{path} holds more than {most} files.',
  tooManyRemedy: 'Name a folder further down.',
  changedMeanwhile: '{path} was changed while it was being read.',
  changedMeanwhileRemedy: 'Try again.',
  tooLargeToRead: '{path} has {bytes} bytes; {allowed} can be read at once.',
  tooLargeToReadRemedy: 'Read a part of it with offset and limit, or search it with search_file.',

  // the disk
  diskFull: '{path} cannot be written: the disk is full.',
  diskQuota: '{path} cannot be written: the disk quota is used up.',
  diskFullRemedy: 'Ask someone to make room, or write less.',
  overDiskLimit: '{path} would become too large for this disk.',
  overDiskLimitRemedy: 'Write less.',
  mayNotOpen: 'The bot isn’t allowed to open {path}.',
  mayNotChange: 'The bot isn’t allowed to change {path}.',
  permissionsRemedy: 'Change its permissions or use another file.',
  diskReadOnly: '{path} is on a read-only disk.',
  diskReadOnlyRemedy: 'Use outputs/ or temp/, or ask whoever runs the bot.',
  noDescriptorsLeft: '{path} cannot be opened: too many files are open.',
  noDescriptorsLeftRemedy: 'Try again in a moment.',

  // its size
  fullOfFiles: 'The workspace of this thread holds {files} files, and {allowed} are allowed.',
  fullOfFilesRemedy:
    'Put several things into one file. A new thread has its own space. The command `reset` empties temp/; whoever runs the bot can raise uploads.workspace_files.',
  fullOfBytes:
    'The workspace of this thread holds {bytes} of the {allowed} bytes that are allowed, and this does not fit.',
  fullOfBytesRemedy:
    'Make it smaller. A new thread has its own space. The command `reset` empties temp/; whoever runs the bot can raise uploads.workspace_bytes.',
  uploadTooLarge: '{name} is too large: a file can have at most {size}.',
  uploadTooLargeRemedy: 'Send a part of it. Whoever runs Bobbin can raise uploads.file_bytes in config/bobbin.yaml.',

  // a removal
  keptAside: 'Somebody used a thread while its files were being removed, so they are kept in {path}.',
  keptAsideRemedy: 'Move back what is needed, and delete the rest.',

  // repairs
  foldersMissing:
    '{count, plural, one {{folders} was missing, so I created it again, empty.} other {{folders} were missing, so I created them again, empty.}}',
  permissionsReset: '{folder}/ couldn’t be used with the permissions it had, so I reset them.',
  fileMovedAway:
    'There was a file instead of the folder {folder}/: I moved it to {kept} and created {folder}/ again, empty.',
  linkRemoved:
    'Instead of the folder {folder}/ there was a link, and links are never followed: I removed it and created {folder}/ again, empty.',
  specialRemoved:
    'Instead of the folder {folder}/ there was something that isn’t a folder: I removed it and created {folder}/ again, empty.',
})
