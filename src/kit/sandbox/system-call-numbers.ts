/** Newer calls have the same number on all machines. */
export const common = new Map(
  Object.entries({
    ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, memfd_secret: 447 },
    ...{ open_tree: 428, move_mount: 429, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442 },
    ...{ clone3: 435, setxattrat: 463, file_setattr: 469 },
  }),
)

/** Linux, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h; AUDIT_ARCH_* for the ids. */
export const machines = new Map([
  [
    'x64',
    {
      id: 0xc000_003e,
      forks: ['fork', 'vfork'],
      calls: new Map(
        Object.entries({
          ...{
            socket: 41,
            setsockopt: 54,
            memfd_create: 319,
            shmget: 29,
            semget: 64,
            msgget: 68,
            userfaultfd: 323,
            add_key: 248,
            request_key: 249,
          },
          ...{ keyctl: 250, bpf: 321, perf_event_open: 298, kexec_load: 246, kexec_file_load: 320 },
          ...{ init_module: 175, finit_module: 313, delete_module: 176, mount: 165, umount2: 166, pivot_root: 155 },
          ...{ unshare: 272, setns: 308, name_to_handle_at: 303, open_by_handle_at: 304, swapon: 167, swapoff: 168 },
          ...{ reboot: 169, syslog: 103, acct: 163, quotactl: 179, settimeofday: 164, clock_settime: 227 },
          ...{ ioctl: 16, fallocate: 285, setxattr: 188, lsetxattr: 189, fsetxattr: 190 },
          ...{ clone: 56, fork: 57, vfork: 58, ptrace: 101, process_vm_readv: 310, process_vm_writev: 311 },
        }),
      ),
    },
  ],
  [
    'arm64',
    {
      id: 0xc000_00b7,
      forks: [],
      calls: new Map(
        Object.entries({
          ...{
            socket: 198,
            setsockopt: 208,
            memfd_create: 279,
            shmget: 194,
            semget: 190,
            msgget: 186,
            userfaultfd: 282,
            add_key: 217,
            request_key: 218,
          },
          ...{ keyctl: 219, bpf: 280, perf_event_open: 241, kexec_load: 104, kexec_file_load: 294 },
          ...{ init_module: 105, finit_module: 273, delete_module: 106, mount: 40, umount2: 39, pivot_root: 41 },
          ...{ unshare: 97, setns: 268, name_to_handle_at: 264, open_by_handle_at: 265, swapon: 224, swapoff: 225 },
          ...{ reboot: 142, syslog: 116, acct: 89, quotactl: 60, settimeofday: 170, clock_settime: 112 },
          ...{ ioctl: 29, fallocate: 47, setxattr: 5, lsetxattr: 6, fsetxattr: 7 },
          ...{ clone: 220, ptrace: 117, process_vm_readv: 270, process_vm_writev: 271 },
        }),
      ),
    },
  ],
])
