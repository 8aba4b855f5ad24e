import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_LIMIT_MS, PROGRAMS, runProgram } from "../programs";
import { testLibrary } from "../test-library";

/** How a program of one generation is built and run. */
function program(generation: "v1" | "v2") {
  const into = join(PROGRAMS, `modulith-${generation}`);
  const classpath = join(into, "classpath");
  return {
    needs: ["java", "javac", "mvn"],
    build() {
      const profile = generation === "v1" ? ["-Pv1"] : [];
      runProgram(
        "mvn",
        [
          "-q",
          "-B",
          ...profile,
          `-Dbuild.into=${into}`,
          "compile",
          "dependency:build-classpath",
          `-Dmdep.outputFile=${classpath}`,
        ],
        { cwd: join(import.meta.dirname), limitMs: BUILD_LIMIT_MS },
      );
    },
    run: (command: string, env: Readonly<Record<string, string>>) =>
      runProgram(
        "java",
        ["-cp", `${join(into, "classes")}:${readFileSync(classpath, "utf8")}`, "attach.Program", command, generation],
        { env },
      ),
    update: "update event_publication set completion_date = now()",
  };
}

testLibrary({
  ...program("v2"),
  library: "Spring Modulith 2.0",
  preset: "modulith-v2",
  made: ["outgoing sent", "outgoing dead", "outgoing in_progress", "dead dead"],
  constants: { stale_after: "0 seconds" },
  // One that hangs is marked as failed, and the application resubmits it.
  requeue: { of: "outgoing in_progress", was: "PROCESSING", isNow: "FAILED", then: "sent" },
});

testLibrary({
  ...program("v1"),
  library: "Spring Modulith 1.4",
  preset: "modulith-v1",
  made: ["outgoing sent", "outgoing waiting"],
});
