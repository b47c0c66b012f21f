/**
 * Campaigns run on a disk, as bots do, because where a kill hits depends on how long a commit takes. Also, a contained
 * reader has to see the copy's code, and its own /dev has no /dev/shm.
 */
export const realDisk = '/tmp'
