package attach;

import java.time.Duration;
import org.springframework.modulith.events.FailedEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.stereotype.Component;

/** What an application that uses version 2 runs from time to time. */
@Component("resubmit")
class Resubmit implements Runnable {
  private final FailedEventPublications failed;

  Resubmit(FailedEventPublications failed) {
    this.failed = failed;
  }

  @Override
  public void run() {
    failed.resubmit(ResubmissionOptions.defaults().withMinAge(Duration.ZERO));
  }
}
