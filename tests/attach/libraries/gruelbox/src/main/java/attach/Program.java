package attach;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Gruelbox's transaction outbox itself: its migrations, its scheduling and its flush, around calls of which some fail and one never ends. */
public class Program {
  /** Until what was scheduled or failed is due. */
  static final Duration LATER = Duration.ofHours(1);

  static final String URL =
      "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/" + System.getenv("PGDATABASE");
  static final String USER = System.getenv("PGUSER");
  static final String PASSWORD = System.getenv("PGPASSWORD");

  static boolean filling;
  static ThreadLocalContextTransactionManager transactions;

  public interface Orders {
    void handle(String order, String does);
  }

  static class Handler implements Orders {
    @Override
    public void handle(String order, String does) {
      if (!filling) say("{\"ran\": \"" + idOf(order) + "\"}");
      else if (does.equals("fails")) throw new IllegalStateException("the gateway was gone");
      else if (does.equals("hangs")) {
        sayRow(order, "in_progress");
        Runtime.getRuntime().halt(0);
      }
    }
  }

  public static void main(String[] args) {
    filling = args[0].equals("fill");
    if (filling) fill();
    else outbox(2, Clock.systemDefaultZone(), true).flush();
  }

  static void fill() {
    var now = Clock.systemDefaultZone();
    schedule(outbox(2, now, true), "sent", "works", Optional.of("order-1"));
    for (var dead : new String[] {"dead", "given up"}) {
      schedule(outbox(1, now, true), dead, "fails", Optional.empty());
      sayRow(dead, "dead");
      say("{\"id\": \"" + idOf(dead) + "\", \"view\": \"dead\", \"state\": \"dead\"}");
    }
    schedule(outbox(2, now, true), "retrying", "fails", Optional.empty());
    schedule(outbox(2, Clock.offset(now, LATER.multipliedBy(-2)), false), "hangs", "hangs", Optional.empty());
    schedule(outbox(2, now, false), "waiting", "works", Optional.empty());
    sayRow("sent", "sent");
    sayRow("retrying", "retrying");
    sayRow("waiting", "waiting");
    // The one that hangs is due; its call ends the process.
    outbox(2, now, true).flush();
  }

  /** @param running whether what is scheduled or flushed is run, or its process has died before it could be */
  static TransactionOutbox outbox(int attempts, Clock clock, boolean running) {
    transactions = TransactionManager.fromConnectionDetails("org.postgresql.Driver", URL, USER, PASSWORD);
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
        .instantiator(Instantiator.using(type -> new Handler()))
        .submitter(Submitter.withExecutor(running ? Runnable::run : call -> {}))
        .blockAfterAttempts(attempts)
        .clockProvider(() -> clock)
        .attemptFrequency(LATER)
        .build();
  }

  static void schedule(TransactionOutbox outbox, String order, String does, Optional<String> request) {
    transactions.inTransaction(
        () ->
            request
                .map(id -> outbox.with().uniqueRequestId(id).schedule(Orders.class))
                .orElseGet(() -> outbox.schedule(Orders.class))
                .handle(order, does));
  }

  /** As the views name the row of an order: its id is the library's own. */
  static String idOf(String order) {
    try (var connection = DriverManager.getConnection(URL, USER, PASSWORD);
        var statement = connection.prepareStatement("select id from txno_outbox where invocation like ?")) {
      statement.setString(1, "%\"" + order + "\"%");
      try (var rows = statement.executeQuery()) {
        rows.next();
        return "out:" + rows.getString(1);
      }
    } catch (SQLException error) {
      throw new IllegalStateException(error);
    }
  }

  static void sayRow(String order, String state) {
    say("{\"id\": \"" + idOf(order) + "\", \"view\": \"outgoing\", \"state\": \"" + state + "\"}");
  }

  static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
