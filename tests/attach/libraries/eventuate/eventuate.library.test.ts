import { javaProgram } from "../languages";
import { testLibrary } from "../test-library";

testLibrary({
  ...javaProgram(import.meta.dirname),
  library: "Eventuate Tram 0.36",
  preset: "eventuate",
  made: ["outgoing waiting", "outgoing sent", "incoming done"],
  // As where its CDC service polls; the service itself is not run here.
  constants: { polling: "true" },
  bad: "update eventuate.message set headers = 'no json', payload = repeat('x', 1000000), creation_time = -1",
  update: "update eventuate.message set published = 0",
});
