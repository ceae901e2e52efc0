// Asks a server for the odds of a battle, lets it play a long run, watches that and prints what came of it.
//
// The package sengokuv1 is generated from protos/sengoku/v1 by examples/build.py and not kept in the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "sengoku.example/client/sengokuv1"
)

func main() {
	server := flag.String("server", "localhost:50051", "host:port of the server")
	matches := flag.Uint64("matches", 5_000, "matches to play")
	ca := flag.String("tls-ca", "", "file of the authority that the server's certificate comes from; without it nothing is encrypted")
	flag.Parse()
	log.SetFlags(0)
	if err := run(*server, *ca, *matches); err != nil {
		log.Fatal(explain(err))
	}
}

func run(server, ca string, matches uint64) error {
	transport := insecure.NewCredentials()
	if ca != "" {
		var err error
		if transport, err = credentials.NewClientTLSFromFile(ca, ""); err != nil {
			return err
		}
	}
	connection, err := grpc.NewClient(server, grpc.WithTransportCredentials(transport))
	if err != nil {
		return err
	}
	defer connection.Close()

	// Every call has an end, and a token where the server wants one.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if token := os.Getenv("SENGOKU_TOKEN"); token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	if err := odds(ctx, pb.NewOddsServiceClient(connection)); err != nil {
		return err
	}
	return bulk(ctx, pb.NewSimulationServiceClient(connection), matches)
}

// odds asks about one battle of swords.
func odds(ctx context.Context, client pb.OddsServiceClient) error {
	answer, err := client.Evaluate(ctx, &pb.EvaluateRequest{
		Question: &pb.EvaluateRequest_SwordsBattle{SwordsBattle: &pb.SwordsBattle{
			Attacker:  &pb.SwordsForce{Daimyo: 1, Bow: 2, Gun: 2, Sword: 2, Spear: 3},
			Defenders: []*pb.SwordsForce{{Bow: 1, Spear: 4}},
			Fort:      pb.SwordsFort_SWORDS_FORT_CASTLE,
		}},
	})
	if err != nil {
		return err
	}
	found := answer.GetSwordsOdds()
	fmt.Printf("attacker wins %.6f, defender wins %.6f (error %g)\n", found.AttackerWins, found.DefenderWins, found.StandardError)
	return nil
}

// bulk starts a run, watches it to its end, and prints its sums.
func bulk(ctx context.Context, client pb.SimulationServiceClient, matches uint64) error {
	seats := int32(4)
	operation, err := client.StartRun(ctx, &pb.StartRunRequest{
		Run: &pb.RunMatchesRequest{
			Game: "tower", Seats: &seats, Bots: []string{"greedy", "greedy", "random"}, Seed: 7, MatchCount: matches,
		},
		// The same id gives the same run, however often this is sent.
		RequestId: fmt.Sprintf("example-%d", time.Now().UnixNano()),
	})
	if err != nil {
		return err
	}
	fmt.Println("started", operation.Name)

	stream, err := client.WatchRun(ctx, &pb.WatchRunRequest{Name: operation.Name})
	if err != nil {
		return err
	}
	for {
		news, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		operation = news.Operation
		var run pb.RunMetadata
		if err := operation.Metadata.UnmarshalTo(&run); err != nil {
			return err
		}
		fmt.Printf("%s: %d of %d matches, %.0f a second\n", run.State, run.MatchesDone, run.Run.MatchCount, run.MatchesPerSecond)
	}
	return report(operation)
}

// report prints the sums of a run that is over.
func report(operation *longrunningpb.Operation) error {
	if failure := operation.GetError(); failure != nil {
		return status.ErrorProto(failure)
	}
	if !operation.Done {
		return errors.New("the server ended the stream before the run was over")
	}
	var response pb.StartRunResponse
	if err := operation.GetResponse().UnmarshalTo(&response); err != nil {
		return err
	}
	summary := response.Summary
	for seat, wins := range summary.Wins {
		fmt.Printf("seat %d, %s: %d of %d matches won\n", seat, summary.Bots[seat], wins, summary.MatchCount)
	}
	fmt.Printf("digest %016x\n", summary.DigestSum)
	return nil
}

// explain adds the reason that the server gave, which programs go by, to the text for people.
func explain(err error) string {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			return fmt.Sprintf("%s: %v", info.Reason, err)
		}
	}
	return err.Error()
}
