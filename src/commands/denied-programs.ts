import type { CommandDanger, Finding } from "./finding.ts";

type Denial = Omit<Finding, "offending">;

function denials(danger: CommandDanger, names: string, why: string, instead: string): [string, Denial][] {
  return names.split(" ").map((name) => [name, { danger, why, instead }]);
}

/** Programs that no command may start, in any mode. */
export const DENIED_PROGRAMS: ReadonlyMap<string, Denial> = new Map([
  ...denials(
    "disk",
    "mkfs mke2fs mkswap mkdosfs mkntfs mkexfatfs fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted partprobe wipefs shred srm blkdiscard hdparm badblocks swapon swapoff mount umount fusermount losetup dmsetup cryptsetup lvremove lvcreate vgremove pvremove pvcreate mdadm zpool zfs btrfs tune2fs resize2fs e2fsck fsck debugfs diskutil newfs format diskpart nvme sgdisk",
    "it changes disks or file systems, or destroys data for good",
    "work with files inside the workspace",
  ),
  ...denials(
    "privilege",
    "sudo su doas pkexec runuser gosu sudoedit visudo vipw chroot unshare nsenter setcap setpriv capsh newgrp sg login passwd chpasswd chage useradd userdel usermod adduser deluser groupadd groupdel groupmod gpasswd newuidmap insmod rmmod modprobe sysctl setenforce aa-disable dscl osascript run0 systemd-run machinectl bwrap firejail kexec",
    "it takes more rights than the assistant has, or changes who has which",
    "run the command itself, without more rights",
  ),
  ...denials(
    "shutdown",
    "shutdown reboot halt poweroff telinit init pm-suspend pm-hibernate rtcwake",
    "it stops or restarts the machine",
    "leave the machine running",
  ),
  ...denials(
    "persistence",
    "at batch atq atrm anacron update-rc.d chkconfig rc-update loginctl launchctl ldconfig update-alternatives crond schtasks reg",
    "it arranges that something runs later, outside of the assistant's sight",
    "ask for a job of the assistant's own scheduler",
  ),
  ...denials(
    "exfiltration",
    "nc ncat netcat nc.openbsd nc.traditional socat telnet ssh scp sftp ftp tftp lftp ncftp rclone sshfs ngrok cloudflared localtunnel lt bore chisel frpc mail mailx mutt sendmail msmtp swaks s_client rlogin rsh rcp autossh sshpass ssh-copy-id websocat gsocket croc wormhole magic-wormhole tcpdump tshark nmap masscan arpspoof ettercap iptables nft ufw iptables-save ip6tables",
    "it opens a way to other machines through which anything can leave",
    "ask for a web page with the tool for web pages",
  ),
  ...denials(
    "processes",
    "pkill killall xkill skill slay snice renice gdb lldb strace ltrace dtrace bpftrace ptrace reptyr",
    "it stops or looks into programs that are not its own",
    "stop jobs of this command only, as kill %1",
  ),
  ...denials(
    "credentials",
    "ssh-add ssh-keygen ssh-agent gpg gpg2 pass secret-tool security keyctl kwallet-query op vault aws-vault lsass mimikatz unshadow john hashcat xclip xsel pbpaste wl-paste xinput screencapture import scrot",
    "it handles secrets of the machine's owner",
    "leave keys and passwords to the owner",
  ),
  ...denials(
    "logs",
    "auditctl journalctl-vacuum utmpdump logrotate faillock",
    "it changes what is logged",
    "leave logs as they are",
  ),
  ...denials(
    "hidden command",
    "dbus-send gdbus qdbus expect screen tmux dtach abduco script unbuffer tclsh wish gawk-persistent zmodload ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1",
    "it runs other commands where nobody sees them",
    "run those commands themselves",
  ),
]);

/** Programs that reach other machines; mode "restricted" refuses them. */
export const NETWORK_PROGRAMS: ReadonlySet<string> = new Set(
  (
    "curl wget wget2 aria2c axel fetch http https httpie xh curlie lynx w3m links elinks browsh ping ping6 traceroute tracepath mtr nslookup dig drill host whois " +
    "apt apt-get aptitude dpkg brew dnf yum apk pacman zypper snap flatpak port nix nix-env nix-shell emerge conda mamba " +
    "docker podman nerdctl buildah skopeo kubectl helm k9s minikube kind terraform tofu pulumi ansible ansible-playbook vagrant " +
    "aws gcloud gsutil az gh glab hub heroku vercel netlify wrangler flyctl fly doctl firebase s3cmd s5cmd mc b2 psql mysql mariadb mysqldump pg_dump mongosh mongo redis-cli " +
    "npx bunx uvx pipx dlx svn hg bzr youtube-dl yt-dlp ab wrk hey siege k6 tor torsocks proxychains proxychains4 smbclient ldapsearch snmpwalk xdg-open open ipfs"
  ).split(" "),
);

/** Subcommands of package managers that reach other machines; all others stay on this machine. */
export const NETWORK_SUBCOMMANDS: ReadonlyMap<string, RegExp> = new Map([
  [
    "npm",
    /^(?:i|in|ins|inst|insta|install|isntall|ci|add|update|up|upgrade|publish|login|logout|adduser|token|whoami|view|info|show|search|audit|outdated|exec|x|create|init|dist-tag|deprecate|owner|access|unpublish|install-test|it|cit|clean-install|rebuild|link|ln|set|config|c|fund|profile|hook|ping|doctor)$/u,
  ],
  [
    "pnpm",
    /^(?:i|install|add|update|up|upgrade|publish|dlx|exec|create|login|audit|outdated|fetch|import|link|config|c|set|env|self-update)$/u,
  ],
  [
    "yarn",
    /^(?:install|add|upgrade|up|publish|dlx|exec|create|login|audit|outdated|link|config|set|npm|global|import|plugin)$/u,
  ],
  ["bun", /^(?:i|install|add|a|update|upgrade|publish|x|create|c|link|outdated|audit|pm|exec)$/u],
  ["deno", /^(?:install|add|upgrade|publish|deploy|jupyter|outdated|update|init|cache|serve|compile)$/u],
  ["pip", /^(?:install|download|uninstall|wheel|search|index|config)$/u],
  ["pip3", /^(?:install|download|uninstall|wheel|search|index|config)$/u],
  ["uv", /^(?:add|sync|pip|tool|publish|python|self|lock|run|x)$/u],
  ["poetry", /^(?:add|install|update|publish|self|source|config|lock)$/u],
  ["gem", /^(?:install|i|update|push|fetch|signin|sources|uninstall)$/u],
  ["bundle", /^(?:install|update|add|exec|config)$/u],
  ["composer", /^(?:install|update|require|global|create-project|config|exec)$/u],
  ["cargo", /^(?:install|add|update|publish|fetch|login|search|owner|yank|uninstall|vendor|config)$/u],
  ["go", /^(?:get|install|mod|env|telemetry)$/u],
  ["rustup", /./u],
  ["nvm", /^(?:install|use|alias)$/u],
]);
