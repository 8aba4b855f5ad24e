/** Why one mail may arrive twice, wherever a mail is shown: SMTP knows no key of ours. */
export const MAIL_GAP =
  "By SMTP a mail may arrive twice: after a crash between the server's acceptance and our mark, the same Message-ID is sent again.";
