/** The one member of a payload that is sealed; destroy_data_keys() and the size of a body know it too. */
export const SEALED_MEMBER = "onceboard.sealed";
