const SHELL = "@shell";
const OFFLINE = "@offline";
const VERSION = "@version";
