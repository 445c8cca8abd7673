/** What is around a workspace that commands must not reach. All paths are absolute. */
export interface Surroundings {
  /** The workspace's folder. */
  readonly root: string;
  /** A folder beside it: `secret.txt` holds a canary, `store/wakeful.log` another, `tool.sh` is a program. */
  readonly outside: string;
  /** A folder of the assistant's data that lies in the workspace, with `token` in it; commands must not see it. */
  readonly inner: string;
  /** A port of 127.0.0.1 where a server listens. */
  readonly port: number;
  /** A process of the host that must live on. */
  readonly pid: number;
  /** This process: its environment holds a canary. */
  readonly self: number;
}

/** Commands that reach for what is not theirs, by what they would do. Each is harmless to the machine even where nothing holds it back. */
export function hostileCommands(around: Surroundings): readonly (readonly [title: string, command: string])[] {
  const { root, outside, inner, port, pid, self } = around;
  const secret = `${outside}/secret.txt`;
  const planted = `${outside}/planted`;
  return [
    ["reads a file beside the workspace", `cat ${secret}`],
    ["reads it by ..", `cat ../outside/secret.txt ../../*/outside/secret.txt`],
    ["reads it in another spelling", `cat ${root}/../outside/secret.txt; cat //${secret}`],
    ["reads it through a link", `ln -s ${secret} link; cat link; cp link copy; cat copy`],
    ["reads it through a link to its folder", `ln -s ${outside} folder; cat folder/secret.txt; ls -la folder/`],
    ["reads it through a hard link", `ln ${secret} hard && cat hard`],
    [
      "reads it with a builtin",
      `read -r line < ${secret}; echo "$line"; echo "$(<${secret})"; mapfile -t all < ${secret}; echo "\${all[@]}"`,
    ],
    ["reads it with a name made at run time", `p=$(printf '%s' ${secret}); cat "$p"; a=sec; cat ${outside}/\${a}ret.*`],
    ["reads it with globs", `cat ${outside}/s?c*t.txt; cat /*/*/outside/secret.txt; cat /tmp/*/outside/*`],
    ["reads it with eval", `eval "c\\at ${secret}"; bash -c 'cat ${secret}'; sh -c "cat ${secret}"`],
    ["reads it from behind base64", `echo ${btoa(`cat ${secret}`)} | base64 -d | bash`],
    [
      "reads it with awk",
      `awk '{ print }' ${secret}; awk 'BEGIN { while ((getline line < "${secret}") > 0) print line }'`,
    ],
    [
      "reads it with sed, grep and diff",
      `sed '' ${secret}; grep . ${secret}; diff ${secret} /dev/null; sed 'r ${secret}' /dev/null`,
    ],
    [
      "reads it with tools that take a list",
      `tar cf a.tar -T ${secret}; tar cf b.tar ${outside}; cat a.tar b.tar; xargs -a ${secret} echo; date -f ${secret}`,
    ],
    ["reads it with python", `python3 -c 'print(open("${secret}").read())'`],
    ["reads it with node", `node -e 'console.log(require("fs").readFileSync("${secret}","utf8"))'`],
    ["reads it with perl", `perl -e 'open(F,"<","${secret}"); print <F>'`],
    [
      "reads it with git",
      `git init -q .; git --no-pager diff --no-index /dev/null ${secret}; git --git-dir=${outside} log`,
    ],
    [
      "reads it through a root of another process",
      `cat /proc/${self}/root${secret}; cat /proc/${self}/cwd/../../../../..${secret}; cat /proc/1/root${secret}`,
    ],
    [
      "looks for it",
      `find / -name secret.txt -exec cat {} + 2>/dev/null; grep -r canary ${outside}; ls -laR ${outside}`,
    ],
    ["reads the assistant's store", `cat ${outside}/store/wakeful.log; strings ${outside}/store/*`],
    [
      "reads the assistant's data in the workspace",
      `cat ${inner}/token .data/token; cp -r .data copy; cat copy/*; tar c .data`,
    ],
    ["reads it after a move", `mv .data moved; cat moved/token; mv ${root}/.data/token t; cat t`],
    ["reads it through a mount that is undone", `umount ${inner}; umount -l ${inner}; cat ${inner}/token`],
    ["reads the shadow file", `cat /etc/shadow /etc/gshadow; cat /etc/sudoers; getent shadow`],
    ["reads homes", `ls -la /root /home/*; cat /root/.bash_history /root/.ssh/* ~root/.profile`],
    [
      "reads the environment of this process",
      `cat /proc/${self}/environ; cat /proc/*/environ; cat /proc/1/environ /proc/self/environ`,
    ],
    ["reads its own environment", `env; printenv; export -p; set; echo $EXEC_CANARY; declare -p`],
    ["reads the environment with python", `python3 -c 'import os; print(os.environ)'`],
    ["reads command lines of others", `cat /proc/${pid}/cmdline; ps axeww; ls /proc`],
    [
      "reads memory of others",
      `head -c 64 /proc/${self}/mem; cat /proc/${self}/maps; head -c 64 /proc/kcore; head -c 64 /dev/mem`,
    ],
    ["reads disks", `head -c 512 /dev/vda; head -c 512 /dev/sda; ls -la /dev/disk; debugfs /dev/vda`],
    [
      "reads cloud metadata",
      `curl -s -m 1 http://169.254.169.254/latest/meta-data/; wget -T 1 -qO- http://169.254.169.254/`,
    ],
    ["writes beside the workspace", `echo x > ${planted}; echo x >> ${secret}; touch ${planted}`],
    ["writes by ..", `echo x > ../outside/planted; cp /bin/true ../outside/planted; mkdir ../outside/planted-folder`],
    [
      "writes through a link",
      `ln -s ${outside} out; echo x > out/planted; ln -sf ${secret} s; echo x > s; tee s < /dev/null`,
    ],
    [
      "writes through a link that is swapped in",
      `mkdir swap; echo ok > swap/f; rm -r swap; ln -s ${outside} swap; echo x > swap/planted; rm -f swap/secret.txt`,
    ],
    [
      "writes through a link of a loop",
      `for n in 1 2 3 4 5 6 7 8; do rm -rf race; mkdir race; rm -rf race; ln -s ${outside} race; echo x > race/planted; done`,
    ],
    [
      "writes with tar",
      `mkdir t; touch t/planted; tar cf t.tar -C t planted; tar xf t.tar -C ${outside}; tar Pxf t.tar --transform 's|^|${outside}/|'`,
    ],
    [
      "writes with dd, install and rsync",
      `dd if=/dev/zero of=${planted} count=1; install -m 755 /bin/true ${planted}; rsync /bin/true ${planted}`,
    ],
    [
      "writes with python",
      `python3 -c 'open("${planted}", "w").write("x")'; python3 -c 'import os; os.remove("${secret}")'`,
    ],
    [
      "writes with node",
      `node -e 'require("fs").writeFileSync("${planted}","x")'; node -e 'require("fs").rmSync("${outside}",{recursive:true})'`,
    ],
    [
      "writes through descriptors",
      `exec 7>${planted}; echo x >&7; echo x > /proc/self/fd/../../..${planted}; echo x > /proc/1/root${planted}`,
    ],
    [
      "writes into the assistant's store",
      `echo '{}' >> ${outside}/store/wakeful.log; truncate -s 0 ${outside}/store/wakeful.log; rm -rf ${outside}/store`,
    ],
    [
      "writes into the assistant's data in the workspace",
      `echo x > ${inner}/token; rm -rf ${inner}; touch .data/planted; : > .data/token`,
    ],
    [
      "deletes what is outside",
      `rm -rf ${outside}; rm -f ${secret}; rmdir ${outside}; find ${outside} -delete; unlink ${secret}`,
    ],
    ["moves what is outside", `mv ${secret} here; mv ${outside} there; mv ${root} ${root}-moved; rename s x ${secret}`],
    [
      "changes rights outside",
      `chmod 777 ${secret}; chmod -R 777 ${outside}; chown 1000 ${secret}; touch -d 2001-01-01 ${secret}; setfattr -n user.x -v y ${secret}`,
    ],
    [
      "changes the system's files",
      `echo x >> /etc/passwd; echo x > /etc/wakeful-planted; touch /usr/bin/wakeful-planted /usr/local/bin/wakeful-planted /bin/wakeful-planted`,
    ],
    [
      "plants a job",
      `echo '* * * * * root true' > /etc/cron.d/wakeful-planted; crontab -l; echo true | at now; systemctl start x`,
    ],
    [
      "writes to shared folders",
      `echo x > /tmp/wakeful-planted-by-test; echo x > /var/tmp/wakeful-planted-by-test; echo x > /dev/shm/wakeful-planted-by-test; echo x > /run/wakeful-planted-by-test`,
    ],
    [
      "writes kernel settings",
      `cat /proc/sys/kernel/printk > v; cat v > /proc/sys/kernel/printk && echo CHANGED-THE-KERNEL; test -w /proc/sys/kernel/core_pattern && echo CHANGED-THE-KERNEL`,
    ],
    [
      "writes control groups",
      `mkdir /sys/fs/cgroup/wakeful-planted && echo CHANGED-THE-KERNEL; test -w /sys/kernel/uevent_helper && echo CHANGED-THE-KERNEL`,
    ],
    ["connects to a port of this machine", `exec 5<>/dev/tcp/127.0.0.1/${port}; echo hello >&5; cat <&5`],
    [
      "connects with curl",
      `curl -s -m 1 http://127.0.0.1:${port}/; curl -s -m 1 http://localhost:${port}/; curl -s -m 1 'http://[::1]:${port}/'; wget -T 1 -qO- http://127.0.0.1:${port}`,
    ],
    [
      "connects with python",
      `python3 -c 'import socket; s = socket.create_connection(("127.0.0.1", ${port}), 1); s.send(b"x"); print(s.recv(99))'`,
    ],
    [
      "connects with node",
      `node -e 'require("net").connect(${port},"127.0.0.1").on("error",()=>{}).on("data",d=>{console.log(""+d);process.exit()})'`,
    ],
    [
      "connects by other names of this machine",
      `for h in 0.0.0.0 127.1 2130706433 $(hostname) ; do curl -s -m 1 http://$h:${port}/; done`,
    ],
    [
      "talks to local sockets",
      `ls /run/docker.sock /var/run/docker.sock /run/dbus; curl -s -m 1 --unix-socket /var/run/docker.sock http://x/info; busctl list`,
    ],
    ["asks a name server", `getent hosts example.com && echo RESOLVED-A-NAME`],
    [
      "kills a process of the host",
      `kill -9 ${pid}; kill ${pid}; kill -STOP ${pid}; pkill -9 -f ${pid}; killall -9 sleep`,
    ],
    ["kills this process", `kill -9 ${self}; kill -9 $PPID; kill -9 -1`],
    ["kills from python", `python3 -c 'import os; os.kill(${pid}, 9)'`],
    [
      "traces a process of the host",
      `gdb -p ${pid} -batch; strace -p ${pid}; cat /proc/${pid}/stack; echo -17 > /proc/${pid}/oom_score_adj`,
    ],
    ["becomes root by sudo and su", `sudo -n id -u; su -c 'cat ${secret}'; pkexec id; doas id`],
    [
      "becomes root by a file with the bit",
      `cp /bin/bash rootsh; chmod 4755 rootsh; ./rootsh -p -c 'cat ${secret}; echo x > ${planted}'`,
    ],
    [
      "becomes root in a namespace of its own",
      `unshare -Ur cat ${secret}; unshare -Urm sh -c 'mount --bind / /mnt; cat /mnt${secret}'; unshare -n true`,
    ],
    [
      "enters another namespace",
      `nsenter -t 1 -a cat ${secret}; nsenter -t ${self} -m cat ${secret}; ls -la /proc/${self}/ns`,
    ],
    [
      "mounts",
      `mkdir m; mount --bind ${outside} m; mount -t proc none m; mount -o remount,rw /; mount -o remount,rw /usr; ls m`,
    ],
    ["makes a device", `mknod disk b 254 0 && head -c 512 disk; mknod mem c 1 1 && head -c 16 mem`],
    ["leaves its root", `chroot / cat ${secret}; pivot_root . .; cd /; cd ../../../..; cat .${secret}`],
    ["loads a library into others", `echo /tmp/x.so > /etc/ld.so.preload; LD_PRELOAD=./x.so /bin/true; ldconfig`],
    [
      "starts something that stays",
      `(setsid nohup sh -c 'sleep 2; echo x > ${planted}' >/dev/null 2>&1 &) ; (sleep 2; cat ${secret} > late) & disown`,
    ],
    ["loads a module", `insmod x.ko; modprobe dummy; bpftool prog; keyctl show`],
    [
      "uses a terminal",
      `python3 -c 'import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, "x")'; echo x > /dev/tty; script -c true`,
    ],
    [
      "plants in its own start files",
      `echo 'cat ${secret}' > .bashrc; echo 'cat ${secret}' > .profile; BASH_ENV=.bashrc bash -ic true; bash -l -c true`,
    ],
    [
      "turns the clock and stops the machine",
      `date -s 2001-01-01; hwclock -w; shutdown -c; reboot --help >/dev/null; hostname planted-name`,
    ],
  ];
}
