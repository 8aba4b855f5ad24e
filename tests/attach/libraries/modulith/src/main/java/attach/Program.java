package attach;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Modulith itself: it makes its table, publishes, and serves listeners of which one fails and one never ends. */
@SpringBootApplication
@EnableAsync
public class Program {
  record Paid(String order) {}

  record Refused(String order) {}

  record Endless(String order) {}

  static boolean filling;
  static boolean second;

  public static void main(String[] args) {
    filling = args[0].equals("fill");
    second = args[1].equals("v2");
    if (!filling) {
      try (var context = SpringApplication.run(Program.class)) {
        context.getBean("resubmit", Runnable.class).run();
      }
      return;
    }
    try (var context = SpringApplication.run(Program.class)) {
      publish(context, new Paid("1"));
      publish(context, new Refused("2"));
    }
    // Its listener ends the process.
    publish(SpringApplication.run(Program.class), new Endless("3"));
  }

  static void publish(ConfigurableApplicationContext context, Object event) {
    var events = (ApplicationEventPublisher) context;
    context.getBean(TransactionTemplate.class).executeWithoutResult(status -> events.publishEvent(event));
  }

  @Component
  static class Listeners {
    private final JdbcTemplate jdbc;

    Listeners(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @ApplicationModuleListener
    void completes(Paid event) {
      ran("Paid");
    }

    @ApplicationModuleListener
    void fails(Refused event) {
      ran("Refused");
      if (filling) throw new IllegalStateException("refused");
    }

    @ApplicationModuleListener
    void hangs(Endless event) {
      ran("Endless");
      if (!filling) return;
      for (var row : jdbc.queryForList("select id::text, event_type from event_publication")) sayRow(row);
      Runtime.getRuntime().halt(0);
    }

    private void ran(String type) {
      if (filling) return;
      var id = jdbc.queryForObject(
          "select id::text from event_publication where event_type like ?", String.class, "%" + type);
      say("{\"ran\": \"out:" + id + "\"}");
    }

    private static void sayRow(Map<String, Object> row) {
      var type = row.get("event_type").toString();
      var state = type.endsWith("Paid") ? "sent" : !second ? "waiting" : type.endsWith("Refused") ? "dead" : "in_progress";
      for (var view : state.equals("dead") ? new String[] {"outgoing", "dead"} : new String[] {"outgoing"})
        say("{\"id\": \"out:" + row.get("id") + "\", \"view\": \"" + view + "\", \"state\": \"" + state + "\"}");
    }

    private static void say(String line) {
      System.out.println("\n" + line);
      System.out.flush();
    }
  }
}
