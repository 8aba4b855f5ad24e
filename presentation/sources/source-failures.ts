/** What is said where an attached database was not read, by the code of the error. */
export const SOURCE_FAILURES: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  "attach.unreachable": {
    title: "The attached database cannot be reached.",
    text: "It does not take our connection now. Our own pages do not need it, and what was counted before is kept.",
  },
  "attach.read_failed": {
    title: "The attached database refused the read.",
    text: "It was stopped there, or these views may not be read now. Nothing was changed.",
  },
  "attach.not_installed": {
    title: "The views are not installed there.",
    text: "The schema of the attachment is gone, or its login may not use it any more. Install it again, or remove the attachment.",
  },
  "attach.manifest": {
    title: "The installed schema does not say what it is.",
    text: "Its comment is not what an installation writes. Install it again.",
  },
  "attach.host_not_allowed": {
    title: "This deployment may not connect to its host.",
    text: "ATTACH_HOSTS does not list the host of this attachment. Nothing was asked there.",
  },
  "attach.superuser": {
    title: "The login of the attachment is a superuser.",
    text: "It is not used: give it a login that may do less.",
  },
};
