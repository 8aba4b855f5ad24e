/** Of an attachment, as it stands in addresses and menus. */
export const ATTACHMENT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
export const ATTACHMENT_NAME_RULE = "must be 1 to 40 small letters, digits and hyphens, such as orders-db";
