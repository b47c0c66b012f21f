/** Well-known names. A function with such a name would make one thing look like another. */
const wellKnown = new Set(
  `. : [ alias apt apt-get awk base64 basename bash bg bind brew builtin busybox bzip2 caller cargo cat cd chgrp chmod
  chown chroot cmp comm command compgen complete continue cp curl cut dash date dd declare deno df diff dig dirname dirs
  disown docker du echo egrep enable env eval exec exit export expr false fc fd fg fgrep file find flock free g++ gcc
  getopts git go grep gunzip gzip hash head help history hostname id ifconfig install ip jobs jq kill less let ln local
  logout ls lsof make mapfile md5sum mkdir mkfifo mktemp more mount mv nc ncat nice node nohup npm npx od openssl paste
  patch perl php ping pip pip3 pkill pnpm popd printenv printf ps pushd pwd pytest python python3 read readarray
  readlink readonly realpath return rg rm rmdir rsync ruby scp sed seq set setsid sftp sh sha256sum shift shopt shred
  sleep sort source split ssh stat stdbuf strings su sudo suspend sync tac tail tar tee telnet test time timeout times
  top touch tr trap true tsc tty type typeset ulimit umask unalias uname uniq unlink unset unzip uptime vi vim vitest
  wait watch wc wget which who whoami xargs xxd xz yarn yes zcat zip zsh`.split(/\s+/),
)

export const hidesProgram = (name: string): boolean => wellKnown.has(name) || !/^[A-Za-z_][\w-]*$/.test(name)
